//! Parts of structs that constant code reads, taken out in front of it.

use super::Reader;
use super::expr::strip;
use crate::lower::ty::Ty;
use crate::walk::{self, NodeMut, Onward};
use proc_macro2::{Ident, Span};

impl Reader<'_> {
    /// `at(i, self.columns)`   =>   `{ let __part0 = self.columns; at(i, __part0) }`: in generated code a struct has
    /// another type, but its integers and constants have not. What changes a variable comes first too.
    pub(super) fn taken_out(&mut self, e: &syn::Expr) -> Option<syn::Expr> {
        let is_call = matches!(strip(e), syn::Expr::Call(_) | syn::Expr::MethodCall(_));
        let (mut code, mut lets) = (e.clone(), Vec::<syn::Stmt>::new());
        let mut take_out = |part: &mut syn::Expr, is_borrowed: bool| {
            let name = Ident::new(&format!("__part{}", lets.len()), Span::call_site());
            let (of, used): (syn::Expr, syn::Expr) = match is_borrowed {
                true => (syn::parse_quote!(&#part), syn::parse_quote!((*#name))),
                false => (part.clone(), syn::parse_quote!(#name)),
            };
            lets.push(syn::parse_quote!(let #name = #of;));
            *part = used;
            Onward::Over
        };
        walk::change_below(NodeMut::Expr(&mut code), &mut |node| match node {
            // what may not be evaluated stays where it is
            NodeMut::Expr(part) if !is_evaluated(part) => Onward::Over,
            NodeMut::Expr(part)
                if self.is_change(part) || is_call && self.is_integer_of_struct(part) =>
            {
                take_out(part, false)
            }
            NodeMut::Expr(part) if is_call && self.is_kept(part) => take_out(part, true),
            _ => Onward::Into,
        });
        (!lets.is_empty()).then(|| syn::parse_quote!({ #(#lets)* #code }))
    }

    /// `atom.element`, a constant in a struct.
    fn is_kept(&mut self, e: &syn::Expr) -> bool {
        matches!(strip(e), syn::Expr::Field(_)) && matches!(self.place_type(e), Some(Ty::Opaque(_)))
    }

    /// `self.columns`, `self.rows.len()`
    pub(super) fn is_integer_of_struct(&mut self, e: &syn::Expr) -> bool {
        let e = strip(e);
        match e {
            syn::Expr::Field(_) => {
                matches!(self.place_type(e), Some(Ty::Int(_) | Ty::Bool))
            }
            syn::Expr::MethodCall(m) if m.method == "len" && m.args.is_empty() => {
                let is_part = matches!(
                    strip(&m.receiver),
                    syn::Expr::Field(_) | syn::Expr::Index(_)
                );
                let ty = is_part.then(|| self.place_type(&m.receiver)).flatten();
                matches!(ty, Some(Ty::Vec(_) | Ty::Slice(_) | Ty::Array(..)))
            }
            _ => false,
        }
    }
}

/// Whether all parts of an expression are evaluated, once.
fn is_evaluated(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Binary(b) => !matches!(b.op, syn::BinOp::And(_) | syn::BinOp::Or(_)),
        syn::Expr::Block(_)
        | syn::Expr::Closure(_)
        | syn::Expr::ForLoop(_)
        | syn::Expr::If(_)
        | syn::Expr::Loop(_)
        | syn::Expr::Match(_)
        | syn::Expr::While(_) => false,
        _ => true,
    }
}
