//! Structs with `Deref` to one of their fields: what they have not themselves is found there.
//!
//! ```text
//! m[1] = m.iter().sum();   =>   m.0[1] = m.0.iter().sum();
//! ```

use super::Reader;
use super::expr::{strip, unraw};
use crate::lower::ty::Ty;
use crate::template::parse_quote;

impl Reader<'_> {
    /// An index, a method or a dereference that is one of the field.
    pub(super) fn behind_deref(&mut self, e: &syn::Expr) -> Option<syn::Expr> {
        if !self.env.has_derefs() {
            return None;
        }
        match strip(e) {
            syn::Expr::Index(i) => {
                let (of, has_it) = self.field_behind(&i.expr, "index")?;
                let index = &i.index;
                (!has_it).then(|| parse_quote!(#of[#index]))
            }
            syn::Expr::MethodCall(m) => {
                const OF_ALL: [&str; 4] = ["clone", "cmp", "eq", "into"];
                let name = unraw(&m.method);
                let Some((of, has_it)) = self.field_behind(&m.receiver, &name) else {
                    // a chain that begins with one
                    let receiver = Box::new(self.behind_deref(&m.receiver)?);
                    return Some(
                        syn::ExprMethodCall {
                            receiver,
                            ..m.clone()
                        }
                        .into(),
                    );
                };
                match &*name {
                    "deref" => Some(parse_quote!(&#of)),
                    "deref_mut" => Some(parse_quote!(&mut #of)),
                    _ if has_it || OF_ALL.contains(&&*name) => None,
                    _ => {
                        let receiver = Box::new(of);
                        Some(
                            syn::ExprMethodCall {
                                receiver,
                                ..m.clone()
                            }
                            .into(),
                        )
                    }
                }
            }
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
                let is_borrowed = match strip(&u.expr) {
                    syn::Expr::Path(_) => matches!(self.local_shallow(&u.expr)?, Ty::Ref(..)),
                    syn::Expr::Unary(_) | syn::Expr::Field(_) | syn::Expr::Index(_) => false,
                    _ => true,
                };
                (!is_borrowed).then(|| Some(self.field_behind(&u.expr, "")?.0))?
            }
            _ => None,
        }
    }

    /// The field that is behind a struct, and whether the struct has this method itself.
    fn field_behind(&mut self, e: &syn::Expr, method: &str) -> Option<(syn::Expr, bool)> {
        let Some(Ty::Struct(path)) = self.place_type(e) else {
            return None;
        };
        let field = self.env.deref_of(&path.0.to_string())?;
        let has_it = self.env.method(&path.0.to_string(), method).is_some()
            || self.env.methods.get(&path, method, self.env).is_some()
            || self.higher_of(&path, method).is_some();
        Some((parse_quote!(#e.#field), has_it))
    }
}
