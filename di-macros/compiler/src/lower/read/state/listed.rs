//! Numbers in state, listed for what differentiates with them.
//!
//! ```text
//! seen.iter().map(|&i| x[i]).sum::<f64>()   =>   { let mut __list = Vec::new(); for __k in seen.iter() { __list.push(*__k); }
//!                                                  __list.iter().map(|&i| x[i]).sum::<f64>() }
//! ```

use super::super::Reader;
use super::super::expr::strip;
use crate::lower::state::Shape;
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::lower::types::element;
use crate::template::parse_quote;
use proc_macro2::{Ident, Span};

impl Reader<'_> {
    /// A chain of an iterator over state that goes on with what is differentiated: its items are listed first.
    pub(super) fn listed(&mut self, e: &syn::Expr) -> Option<syn::Expr> {
        let mut chain = e.clone();
        let mut inner = &mut chain;
        let (items, of) = loop {
            let syn::Expr::MethodCall(m) = inner else {
                return None;
            };
            inner = &mut m.receiver;
            if let Some(ty) = self.type_on_state(inner) {
                match self.shape(&ty) {
                    Some(Shape::Items(of)) => break (inner.clone(), of),
                    _ => return None,
                }
            }
        };
        let list = Ident::new(&format!("__list{}", self.locals.len()), Span::call_site());
        let item: syn::Expr = parse_quote!(__item);
        let (value, again) = self.listed_item(&of, &item, &list)?;
        *inner = again;
        Some(parse_quote!({
            let mut #list = ::std::vec::Vec::new();
            for __item in #items { #list.push(#value); }
            #chain
        }))
    }

    /// What is kept of an item, and how the items are had again.
    fn listed_item(
        &mut self,
        of: &Ty,
        item: &syn::Expr,
        list: &Ident,
    ) -> Option<(syn::Expr, syn::Expr)> {
        match self.types.shallow(of) {
            Ty::Tuple(parts) if parts.len() > 1 => {
                let (mut values, mut again): (Vec<syn::Expr>, Vec<syn::Expr>) = Default::default();
                for (k, part) in parts.iter().enumerate() {
                    let k = syn::Index::from(k);
                    let is_reference = self.is_reference_to_number(part)?;
                    values.push(match is_reference {
                        true => parse_quote!(*#item.#k),
                        false => parse_quote!(#item.#k),
                    });
                    again.push(match is_reference {
                        true => parse_quote!(&__item.#k),
                        false => parse_quote!(__item.#k),
                    });
                }
                let again = parse_quote!(#list.iter().map(|__item| (#(#again),*)));
                Some((parse_quote!((#(#values),*)), again))
            }
            part => Some(match self.is_reference_to_number(&part)? {
                true => (parse_quote!(*#item), parse_quote!(#list.iter())),
                false => (item.clone(), parse_quote!(#list.iter().copied())),
            }),
        }
    }

    /// Whether this is a reference to a number; `None` of what is no number.
    fn is_reference_to_number(&self, ty: &Ty) -> Option<bool> {
        let is_number = |ty: &Ty| {
            matches!(self.types.shallow(ty), Ty::Int(_) | Ty::Bool | Ty::Float)
                || self.types.traits(ty).is_some_and(|t| t.integer)
        };
        match self.types.shallow(ty) {
            Ty::Ref(false, of) => is_number(&of).then_some(true),
            ty => is_number(&ty).then_some(false),
        }
    }

    /// `let order: Vec<usize> = seen.into_iter().collect();` is a vector of the function's own.
    pub(super) fn list_made(&mut self, written: &syn::Type, init: &syn::Expr) -> Option<syn::Expr> {
        let written = self.env.expanded(written);
        let of = types::read_plain(
            element(types::ungroup(&written))?,
            self.float,
            &mut self.types,
        );
        if !matches!(written, syn::Type::Path(_))
            || !matches!(of, Some(Ty::Int(_) | Ty::Bool | Ty::Float))
        {
            return None;
        }
        let items = match strip(init) {
            syn::Expr::MethodCall(m) if m.method == "collect" => &m.receiver,
            init => init,
        };
        let ty = self.type_on_state(items)?;
        match self.shape(&ty)? {
            Shape::Items(_) | Shape::List(_) => {}
            _ => return None,
        }
        Some(parse_quote!({
            let mut __list: #written = ::std::vec::Vec::new();
            for __item in #items { __list.push(__item); }
            __list
        }))
    }
}
