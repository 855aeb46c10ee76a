//! Vectors of references to constants: the first one that is put into a vector tells its type.
//!
//! ```text
//! let mut rest = Vec::new();   =>   let mut rest: Vec<&Dose> = Vec::new();
//! for d in doses { if d.mg > 1.0 { rest.push(d); } }
//! ```

use super::super::Reader;
use super::super::expr::{strip, unraw};
use super::super::lifted::behind_references;
use super::super::of_std::{Names, Seen};
use super::made::{collection_made, is_part, last_name};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::lower::types::element;
use crate::template::parse_quote;
use crate::walk::{self, Node, Onward};
use proc_macro2::Ident;

impl Reader<'_> {
    /// The type of a vector of references to constants that is not written: `vec![root]`, or `Vec::new()` to which
    /// later statements push.
    pub(super) fn list_of_references(
        &self,
        init: &syn::Expr,
        later: &[syn::Stmt],
        name: &Ident,
    ) -> Option<syn::Type> {
        let mut names = Vec::new();
        let item = match strip(init) {
            syn::Expr::Macro(m) if m.mac.path.is_ident("vec") => {
                walk::arguments(&m.mac)?.into_iter().next()?
            }
            init if last_name(&collection_made(init)?)? == "Vec" => {
                self.first_pushed(later, name, &mut names)?
            }
            _ => return None,
        };
        let of = self.reference_as_written(&item, &names)?;
        refers_to_constants(&of).then(|| parse_quote!(::std::vec::Vec<#of>))
    }

    /// What is pushed first to a vector, and the variables of loops in front of that.
    fn first_pushed(
        &self,
        later: &[syn::Stmt],
        name: &Ident,
        names: &mut Vec<(String, Option<syn::Type>)>,
    ) -> Option<syn::Expr> {
        let mut pushed = None;
        for stmt in later {
            walk::read(Node::Stmt(stmt), &mut |node| match node {
                Node::Expr(syn::Expr::ForLoop(f)) => {
                    let of = self.item_as_written(&f.expr, names);
                    self.name(&f.pat, of.as_ref(), names);
                    Onward::Into
                }
                Node::Expr(syn::Expr::MethodCall(m))
                    if m.method == "push" && is_part(&m.receiver, name) =>
                {
                    pushed = m.args.first().cloned();
                    Onward::Found
                }
                _ => Onward::Into,
            });
            if pushed.is_some() {
                break;
            }
        }
        pushed
    }

    /// The type of what a loop over constants binds.
    fn item_as_written(&self, e: &syn::Expr, names: &Names) -> Option<syn::Type> {
        match self.seen_among(e, names)? {
            Seen::Items(of) => Some(of),
            Seen::Value(of) => {
                let of = self.env.expanded(&of);
                let of = element(behind_references(&of))?;
                Some(parse_quote!(&#of))
            }
        }
    }

    /// The type of a reference to a constant, or of a tuple with one.
    fn reference_as_written(&self, e: &syn::Expr, names: &Names) -> Option<syn::Type> {
        match strip(e) {
            syn::Expr::Tuple(t) => {
                let parts = t.elems.iter().map(|e| {
                    let known = self.reference_as_written(e, names);
                    known.unwrap_or_else(|| parse_quote!(_))
                });
                let parts: Vec<syn::Type> = parts.collect();
                Some(parse_quote!((#(#parts),*)))
            }
            syn::Expr::Reference(r) if r.mutability.is_none() => {
                let of = self.seen_among(&r.expr, names)?.value()?;
                Some(parse_quote!(&#of))
            }
            syn::Expr::Path(p) => {
                let name = unraw(p.path.get_ident()?);
                if let Some((_, ty)) = names.iter().rev().find(|(known, _)| *known == name) {
                    return ty.clone();
                }
                let ty = &self.locals[self.lookup(&name)?.0].ty;
                let is_reference = matches!(self.types.shallow(ty), Ty::Ref(false, _));
                let of = self.constant_type(ty).filter(|_| is_reference)?;
                Some(parse_quote!(&#of))
            }
            _ => None,
        }
    }
}

/// Whether this is a reference, or a tuple with one and without floats: what varies is no constant.
pub(super) fn refers_to_constants(ty: &syn::Type) -> bool {
    match types::ungroup(ty) {
        syn::Type::Reference(r) => r.mutability.is_none(),
        syn::Type::Tuple(t) => {
            let is_float =
                |ty: &syn::Type| last_name(ty).is_some_and(|name| matches!(&*name, "f64" | "f32"));
            t.elems.iter().any(refers_to_constants) && !t.elems.iter().any(is_float)
        }
        _ => false,
    }
}
