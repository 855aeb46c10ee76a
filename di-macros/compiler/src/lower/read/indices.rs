//! Structs with several impls of `Index`: which one is meant the type of the index tells.

use super::Reader;
use super::expr::strip;
use crate::ir::Tokens;
use crate::lower::ty::Ty;
use crate::lower::types::{self, range_of};
use quote::ToTokens;
use syn::ExprIndex;

impl Reader<'_> {
    /// The name of the method that `m[i]` calls: that of its impl, if there are several.
    pub(super) fn index_method(&mut self, of: &Tokens, i: &ExprIndex, method: &str) -> String {
        if self.higher_of(of, method).is_some() {
            return method.to_owned();
        }
        let of = self.env.of(&of.0.to_string());
        let all = self.env.indices(&of, method);
        let fitting = |certain: bool| {
            let mut fitting = all.iter().filter(|(_, ty)| match self.fits(&i.index, ty) {
                Some(fits) => fits,
                None => !certain,
            });
            let first = fitting.next().map(|(name, _)| name.clone());
            first.filter(|_| fitting.next().is_none())
        };
        let found = fitting(false).or_else(|| fitting(true));
        found.unwrap_or_else(|| method.to_owned())
    }

    /// Whether an index is of this type, as far as it shows.
    fn fits(&self, index: &syn::Expr, ty: &syn::Type) -> Option<bool> {
        let ty = types::ungroup(ty);
        let text = without_lifetimes(ty);
        let is_integer = types::is_integer_name(&text);
        match strip(index) {
            syn::Expr::Lit(l) => Some(match &l.lit {
                syn::Lit::Int(n) => is_integer && ["", &text].contains(&n.suffix()),
                syn::Lit::Char(_) => text == "char",
                syn::Lit::Bool(_) => text == "bool",
                syn::Lit::Str(_) => text == "& str",
                _ => false,
            }),
            syn::Expr::Range(_) => Some(range_of(ty).is_some()),
            syn::Expr::Cast(c) => Some(c.ty.to_token_stream().to_string() == text),
            syn::Expr::Tuple(t) => {
                let syn::Type::Tuple(of) = ty else {
                    return Some(false);
                };
                let mut pairs = t.elems.iter().zip(&of.elems);
                Some(
                    t.elems.len() == of.elems.len()
                        && pairs.all(|(e, ty)| self.fits(e, ty) != Some(false)),
                )
            }
            syn::Expr::Array(a) => Some(match ty {
                syn::Type::Array(of) => a
                    .elems
                    .iter()
                    .all(|e| self.fits(e, &of.elem) != Some(false)),
                _ => false,
            }),
            // arithmetic is one of integers
            syn::Expr::Binary(_) => Some(is_integer),
            e => {
                let local = self.local_shallow(e);
                let known = local.and_then(|of| self.is_spelled(&of, ty));
                known.or_else(|| Some(without_lifetimes(&self.type_as_written(e)?) == text))
            }
        }
    }

    /// Whether a type is written so, if it is known. An integer of which nothing is said may be any.
    fn is_spelled(&self, of: &Ty, ty: &syn::Type) -> Option<bool> {
        let text = without_lifetimes(ty);
        Some(match (self.types.shallow(of), types::ungroup(ty)) {
            (Ty::Int(name), _) => name == text,
            (Ty::Bool, _) => text == "bool",
            (Ty::Var(_), _) if self.types.traits(of)?.integer => types::is_integer_name(&text),
            (Ty::Var(_), _) => return None,
            (Ty::Tuple(parts), syn::Type::Tuple(t)) if parts.len() == t.elems.len() => {
                let mut pairs = parts.iter().zip(&t.elems);
                pairs.all(|(of, ty)| self.is_spelled(of, ty) != Some(false))
            }
            (Ty::Array(of, _), syn::Type::Array(a)) => self.is_spelled(&of, &a.elem)?,
            (Ty::Ref(_, of), syn::Type::Reference(r)) => self.is_spelled(&of, &r.elem)?,
            (Ty::Struct(of) | Ty::Opaque(of), _) => without_lifetimes(&of.0) == text,
            _ => false,
        })
    }
}

fn without_lifetimes(ty: &impl ToTokens) -> String {
    let text = ty.to_token_stream().to_string();
    let words: Vec<&str> = text.split(' ').filter(|w| !w.starts_with('\'')).collect();
    words.join(" ")
}
