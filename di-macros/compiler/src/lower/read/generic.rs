//! Functions that are generic over types: code that names a type parameter is carried as it is, but for the
//! methods of the float that are known.

use super::Reader;
use super::expr::strip;
use crate::ir::Tokens;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Step};
use crate::lower::ty::{Traits, Ty};
use crate::sorted::Map;
use crate::symbol;
use crate::template::parse_quote;
use crate::walk::{self, NodeMut, Onward};
use proc_macro2::Span;

impl Reader<'_> {
    /// `T::from(2.0).unwrap()`, `M::scale(n)`, and calls of constants: `weight(k)`.
    pub(super) fn generic_chain(&mut self, e: &syn::Expr) -> Option<Expr> {
        if !self.is_generic_chain(strip(e)) {
            return None;
        }
        let span = e.extent();
        let mut e = e.clone();
        Some(self.scoped(|r| {
            // the length of what is differentiated may be read
            let mut stmts = Vec::new();
            r.take_lengths_out(&mut e, &mut stmts);
            let mut value = r.passive(&e, false);
            if r.scalar && !value.is_refused() {
                let traits = Traits {
                    foreign: true,
                    float: true,
                    ..Traits::default()
                };
                value.ty = match r.types.traits(&value.ty) {
                    Some(_) => r.types.fresh_with(traits),
                    None => value.ty,
                };
            }
            if stmts.is_empty() {
                return value;
            }
            Expr::block(stmts, value, span)
        }))
    }

    fn is_generic_chain(&self, e: &syn::Expr) -> bool {
        match e {
            syn::Expr::Path(p) => self.names_variable(p).is_some(),
            syn::Expr::Call(c) => match strip(&c.func) {
                syn::Expr::Path(p) => {
                    let Some(float) = self.names_variable(p) else {
                        return matches!(self.local_type(&c.func), Some(Ty::Opaque(_)));
                    };
                    let last = p.path.segments.last().map(|s| s.ident.to_string());
                    !(float && last.is_some_and(|name| is_known(&name)))
                }
                _ => false,
            },
            syn::Expr::MethodCall(m) => {
                !is_known(&m.method.to_string()) && self.is_generic_chain(strip(&m.receiver))
            }
            syn::Expr::Field(f) => self.is_generic_chain(strip(&f.base)),
            syn::Expr::Index(i) => self.is_generic_chain(strip(&i.expr)),
            _ => false,
        }
    }

    /// Whether a path belongs to a type parameter, and if so, whether to the float.
    fn names_variable(&self, p: &syn::ExprPath) -> Option<bool> {
        let float = |name: &syn::Ident| {
            if self.scalar && *name == self.float {
                Some(true)
            } else {
                self.variables.iter().any(|v| *name == **v).then_some(false)
            }
        };
        match &p.qself {
            Some(q) => match &*q.ty {
                syn::Type::Path(of) if of.qself.is_none() => {
                    float(&of.path.segments.first()?.ident)
                }
                _ => None,
            },
            None if p.path.segments.len() > 1 => float(&p.path.segments.first()?.ident),
            None => None,
        }
    }

    /// `T::sqrt` for `<T as Float>::sqrt`, if that is what the path is.
    pub(super) fn of_float(&self, path: &syn::ExprPath) -> Option<syn::ExprPath> {
        path.qself.as_ref()?;
        self.names_variable(path).filter(|float| *float)?;
        let float = syn::Ident::new(self.float, Span::call_site());
        let last = &path.path.segments.last()?.ident;
        Some(parse_quote!(#float::#last))
    }

    /// An argument: `*m` of a constant of a foreign type is a copy of it.
    pub(super) fn argument(&mut self, e: &syn::Expr) -> Expr {
        if let syn::Expr::Unary(u) = strip(e)
            && matches!(u.op, syn::UnOp::Deref(_))
            && let Some(Ty::Ref(false, inner)) = self.local_shallow(&u.expr)
            && matches!(self.types.shallow(&inner), Ty::Opaque(_))
        {
            return self.passive(e, false);
        }
        self.expr(e)
    }

    /// Arguments of a call with the float in the place of its name.
    pub(super) fn with_float(&self, instance: Tokens) -> Tokens {
        match &self.generic {
            Some(scalar) => Tokens(scalar.as_float(instance.0)),
            None => instance,
        }
    }

    /// Notes a method of a float that is generic: it is treated as that of its instance.
    pub(super) fn note_method(&mut self, name: &str, ty: &Ty, at: Span) {
        if self.scalar && is_known(name) {
            self.methods_used.push((name.to_owned(), ty.clone(), at));
        }
    }

    /// Those of types that turned out to be the float.
    pub(super) fn methods_of_floats(&self) -> Map<String, Span> {
        // the first place is the last that counts
        let each = self.methods_used.iter().rev();
        let floats = each.filter(|(_, ty, _)| matches!(self.types.solve(ty), Ty::Float));
        floats.map(|(name, _, at)| (name.clone(), *at)).collect()
    }
}

/// Whether floats have a method of this name that is understood.
fn is_known(name: &str) -> bool {
    symbol::elementary(name).is_some() || symbol::classify(name).is_some() || name == "sin_cos"
}

impl Reader<'_> {
    /// Takes out `x.len()` of variables that are not carried as they are.
    fn take_lengths_out(&mut self, e: &mut syn::Expr, stmts: &mut Vec<Step>) {
        walk::change(NodeMut::Expr(e), &mut |node| {
            let NodeMut::Expr(e) = node else {
                return Onward::Into;
            };
            let syn::Expr::MethodCall(m) = &*e else {
                return Onward::Into;
            };
            if m.method != "len" || !m.args.is_empty() || !self.is_sequence(&m.receiver) {
                return Onward::Into;
            }
            let length = self.expr(e);
            let name = format!("__len{}", stmts.len());
            let ty = length.ty.clone();
            let local = self.bind(&name, false, ty, length.span);
            stmts.push(Step::bind(local, length));
            let ident = syn::Ident::new(&name, Span::call_site());
            *e = parse_quote!(#ident);
            Onward::Over
        });
    }

    fn is_sequence(&self, e: &syn::Expr) -> bool {
        match strip(e) {
            syn::Expr::Path(_) => matches!(
                self.local_type(e),
                Some(Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_))
            ),
            syn::Expr::Index(i) => self.is_sequence(&i.expr),
            _ => false,
        }
    }
}
