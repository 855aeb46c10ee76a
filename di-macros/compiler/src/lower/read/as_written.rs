//! How the types of constants are written, as far as the items around the function tell.

use super::Reader;
use super::expr::{strip, unraw};
use super::lifted::{behind_references, element};
use super::structs::member_name;
use crate::lower::methods::Method;
use crate::lower::ty::Ty;
use crate::lower::types;
use quote::ToTokens;

impl Reader<'_> {
    /// The type of an expression, as a type of the user's.
    pub(super) fn type_as_written(&self, e: &syn::Expr) -> Option<syn::Type> {
        match strip(e) {
            syn::Expr::Path(p) => match p.path.get_ident().and_then(|i| self.lookup(&unraw(i))) {
                Some(local) => self.as_written(&self.locals[local.0].ty),
                None => match self.env.written(&p.path.to_token_stream().to_string()) {
                    Some(of) => Some(of),
                    None => self.type_of_variant(&p.path),
                },
            },
            syn::Expr::Field(f) => {
                let of = self.type_as_written(&f.base)?;
                let of = self.env.expanded(&of);
                match behind_references(&of) {
                    syn::Type::Tuple(t) => match &f.member {
                        syn::Member::Unnamed(k) => t.elems.iter().nth(k.index as usize).cloned(),
                        syn::Member::Named(_) => None,
                    },
                    of => {
                        let path = of.to_token_stream().to_string();
                        self.env.field(&path, &member_name(&f.member))
                    }
                }
            }
            syn::Expr::Index(i) => {
                let of = self.type_as_written(&i.expr)?;
                let of = element(behind_references(&self.env.expanded(&of)))?.clone();
                let is_range = matches!(strip(&i.index), syn::Expr::Range(_))
                    || self.constant_range(&i.index).is_some();
                Some(match is_range {
                    true => syn::parse_quote!([#of]),
                    false => of,
                })
            }
            syn::Expr::Reference(r) => self.type_as_written(&r.expr),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
                self.type_as_written(&u.expr)
            }
            syn::Expr::MethodCall(m) => self.method_as_written(m),
            syn::Expr::Struct(s) => self.type_of_variant(&s.path),
            syn::Expr::Lit(l) if matches!(l.lit, syn::Lit::Float(_)) => {
                syn::parse_str(self.float).ok()
            }
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Neg(_)) => {
                let of = self.type_as_written(&u.expr)?.to_token_stream();
                self.env
                    .operator("neg", &of.to_string(), "")?
                    .plain_output()
            }
            syn::Expr::Binary(b) => {
                let method = super::methods::operator_method(super::expr::bin_op(&b.op)?)?;
                let side = |e| Some(self.type_as_written(e)?.to_token_stream().to_string());
                let operator = self.env.operator(method, &side(&b.left)?, &side(&b.right)?);
                operator?.plain_output()
            }
            syn::Expr::Call(c) => match strip(&c.func) {
                syn::Expr::Path(p) => {
                    let path = p.path.to_token_stream().to_string();
                    match &self.env.function(&path).map(|f| f.signature.output.clone()) {
                        Some(syn::ReturnType::Type(_, ty)) => Some((**ty).clone()),
                        Some(syn::ReturnType::Default) => None,
                        None => self.type_of_variant(&p.path),
                    }
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// How the type of a value is written, where one without numbers is at the end of it.
    fn as_written(&self, ty: &Ty) -> Option<syn::Type> {
        match self.types.peel(ty) {
            Ty::Opaque(tokens) | Ty::Struct(tokens) => syn::parse2(tokens.0).ok(),
            Ty::Int(name) => syn::parse_str(&name).ok(),
            // a window of constants
            Ty::Slice(of) if matches!(self.types.peel(&of), Ty::Opaque(_)) => {
                let of = self.as_written(&of)?;
                Some(syn::parse_quote!([#of]))
            }
            ty => self.constant_type(&ty),
        }
    }

    /// The result of a method of a constant: the user's own, or std's.
    fn method_as_written(&self, m: &syn::ExprMethodCall) -> Option<syn::Type> {
        let (of, name) = (self.type_as_written(&m.receiver), m.method.to_string());
        let of = of.map(|ty| behind_references(&self.env.expanded(&ty)).to_token_stream());
        if let Some(of) = &of {
            let path = of.to_string();
            let own = (self.env.method(&path, &name)).and_then(Method::plain_output);
            if let Some(own) = own.or_else(|| self.env.passive(&path, &name)) {
                return Some(own);
            }
        }
        let is_of_std = of.as_ref().is_none_or(|of| !self.is_known_struct(of));
        match &*name {
            "clone" | "to_owned" => self.type_as_written(&m.receiver),
            "as_ref" | "cloned" | "copied" => {
                let of = self.type_as_written(&m.receiver)?;
                types::is_option(behind_references(&of)).then_some(of)
            }
            "len" if is_of_std => Some(syn::parse_quote!(usize)),
            "is_empty" if is_of_std => Some(syn::parse_quote!(bool)),
            _ => None,
        }
    }
}
