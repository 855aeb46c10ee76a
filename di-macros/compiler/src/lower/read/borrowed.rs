//! Numbers that functions without an attribute change: `next(&mut seed)`.
//!
//! ```text
//! let u = next(&mut seed);   =>   let u = {
//!                                     let after = { let mut s = seed; let u = next(&mut s); (u, s) };
//!                                     seed = after.1;
//!                                     after.0
//!                                 };
//! ```
//!
//! What is called in `after` is constant code that changes its own variables alone.

use super::Reader;
use super::expr::{strip, unraw};
use crate::error;
use crate::lower::environment::Known;
use crate::lower::extent::HasExtent;
use crate::lower::hir::Expr;
use crate::lower::ty::Ty;
use crate::lower::types;
use proc_macro2::Span;
use quote::ToTokens;
use std::rc::Rc;
use syn::parse_quote;

impl Reader<'_> {
    /// A function that is known not to be differentiated.
    pub(super) fn plain_function(&self, path: &syn::Path) -> Option<Rc<Known>> {
        let is_own = path
            .get_ident()
            .is_some_and(|i| self.lookup(&unraw(i)).is_some() || self.names_closure(i));
        let name = self.resolve_use(path).to_token_stream().to_string();
        let known = self.env.function(&name)?;
        (!is_own && !known.is_differentiated).then_some(known)
    }

    /// A call of a function that is not differentiated, and that changes numbers.
    pub(super) fn changes_numbers(&mut self, e: &syn::Expr) -> Option<Expr> {
        let syn::Expr::Call(c) = strip(e) else {
            return None;
        };
        let syn::Expr::Path(f) = strip(&c.func) else {
            return None;
        };
        let known = self.plain_function(&f.path)?;
        let mut call = c.clone();
        let (mut places, mut copies) = (Vec::new(), Vec::new());
        let mut changed: Vec<syn::Type> = Vec::new();
        for (arg, input) in call.args.iter_mut().zip(&known.signature.inputs) {
            let syn::FnArg::Typed(parameter) = input else {
                return None;
            };
            let syn::Type::Reference(of) = types::ungroup(&parameter.ty) else {
                continue;
            };
            if of.mutability.is_none() || self.mentions_state(arg) {
                continue;
            }
            let place = self.borrowed_number(arg)?;
            let copy = format!("__changed{}", places.len());
            let copy = syn::Ident::new(&copy, Span::call_site());
            *arg = parse_quote!(&mut #copy);
            changed.push((*of.elem).clone());
            places.push(place);
            copies.push(copy);
        }
        if places.is_empty() {
            return None;
        }
        let gives = match &known.signature.output {
            syn::ReturnType::Default => Ty::unit(),
            syn::ReturnType::Type(_, of) => self.carried(Some((**of).clone())),
        };
        let changed = changed.into_iter().map(|of| self.carried(Some(of)));
        let ty = Ty::Tuple(std::iter::once(gives).chain(changed).collect());
        let mut first = Vec::new();
        self.open_scope();
        for arg in &mut call.args {
            let is_borrowed = matches!(arg, syn::Expr::Reference(r) if r.mutability.is_some());
            if !is_borrowed && !self.mentions_state(arg) {
                self.evaluate_first(arg, &mut first);
            }
        }
        let code: syn::Expr = parse_quote!({
            #(let mut #copies = #places;)*
            let __gives = #call;
            (__gives, #(#copies,)*)
        });
        // numbers are read where it runs; anything else is made again where it is used
        let after = match (self.is_read_whole(&ty), self.mentions_state(&code)) {
            (true, _) => self.run_as_is(&code, ty),
            (false, true) => self.refuse(e.extent(), &error::PASSIVE_EFFECT),
            (false, false) => Expr {
                ty,
                ..self.passive_code(&code, false)
            },
        };
        self.close_scope();
        let after = super::chain::after(first, after);
        let assigned = places.iter().enumerate().map(|(k, place)| -> syn::Stmt {
            let k = syn::Index::from(k + 1);
            parse_quote!(#place = __after.#k;)
        });
        let value: Option<syn::Expr> = match &known.signature.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(..) => Some(parse_quote!(__after.0)),
        };
        let then: syn::Expr = parse_quote!({ #(#assigned)* #value });
        Some(self.keeping_as("__after", after, |r, _| r.expr(&then)))
    }
}

impl Reader<'_> {
    /// The variable or field behind `&mut n`, or behind a variable that borrows one, if it is a number.
    fn borrowed_number(&mut self, arg: &syn::Expr) -> Option<syn::Expr> {
        let (place, is_reference) = match strip(arg) {
            syn::Expr::Reference(r) if r.mutability.is_some() => (strip(&r.expr), false),
            place => (place, true),
        };
        if !is_named(place) || self.mentions_state(place) {
            return None;
        }
        let ty = match place {
            syn::Expr::Path(p) => {
                let local = self.lookup(&unraw(p.path.get_ident()?))?;
                self.types.shallow(&self.locals[local.0].ty)
            }
            place => self.place_type(place)?,
        };
        let borrows = matches!(ty, Ty::Ref(true, _));
        let of = self.types.peel(&ty);
        let is_number = matches!(of, Ty::Int(_) | Ty::Bool | Ty::Float | Ty::Var(_));
        (is_number && borrows == is_reference).then(|| match is_reference {
            true => parse_quote!(*#place),
            false => place.clone(),
        })
    }
}

impl Reader<'_> {
    fn is_read_whole(&self, ty: &Ty) -> bool {
        match self.types.shallow(ty) {
            Ty::Float | Ty::Int(_) | Ty::Bool => true,
            Ty::Tuple(parts) => parts.iter().all(|part| self.is_read_whole(part)),
            Ty::Sum(payloads) => payloads.len() == 1 && self.is_read_whole(&payloads[0]),
            _ => false,
        }
    }
}

/// A variable, or a field of one.
fn is_named(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Path(p) => p.path.get_ident().is_some(),
        syn::Expr::Field(f) => is_named(&f.base),
        _ => false,
    }
}
