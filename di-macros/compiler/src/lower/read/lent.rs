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
use super::expr::strip;
use crate::lower::hir::Expr;
use crate::lower::ty::Ty;
use crate::lower::types;
use proc_macro2::Span;
use syn::parse_quote;

impl Reader<'_> {
    /// A call of a function that is not differentiated, and that changes numbers.
    pub(super) fn changes_numbers(&mut self, e: &syn::Expr) -> Option<Expr> {
        let syn::Expr::Call(c) = strip(e) else {
            return None;
        };
        let syn::Expr::Path(f) = strip(&c.func) else {
            return None;
        };
        let is_lent = |arg: &syn::Expr| matches!(strip(arg), syn::Expr::Reference(r) if r.mutability.is_some());
        if !c.args.iter().any(is_lent) {
            return None;
        }
        let known = self.plain_function(&f.path)?;
        let mut call = c.clone();
        let (mut places, mut copies) = (Vec::new(), Vec::new());
        let mut changed: Vec<syn::Type> = Vec::new();
        for (arg, input) in call.args.iter_mut().zip(&known.signature.inputs) {
            let syn::Expr::Reference(r) = arg else {
                continue;
            };
            if r.mutability.is_none() {
                continue;
            }
            let place = strip(&r.expr).clone();
            let syn::FnArg::Typed(parameter) = input else {
                return None;
            };
            let syn::Type::Reference(of) = types::ungroup(&parameter.ty) else {
                return None;
            };
            let is_place = is_named(&place) && !self.mentions_state(&place);
            let ty = self.place_type(&place).filter(|_| is_place)?;
            if !matches!(
                self.types.shallow(&ty),
                Ty::Int(_) | Ty::Bool | Ty::Float | Ty::Var(_)
            ) {
                return None;
            }
            let copy = format!("__changed{}", places.len());
            let copy = syn::Ident::new(&copy, Span::call_site());
            *r.expr = parse_quote!(#copy);
            changed.push((*of.elem).clone());
            places.push(place);
            copies.push(copy);
        }
        let gives: syn::Type = match &known.signature.output {
            syn::ReturnType::Default => parse_quote!(()),
            syn::ReturnType::Type(_, of) => (**of).clone(),
        };
        let code: syn::Expr = parse_quote!({
            #(let mut #copies = #places;)*
            let __gives = #call;
            (__gives, #(#copies,)*)
        });
        let ty = self.carried(Some(parse_quote!((#gives, #(#changed,)*))));
        let after = Expr {
            ty,
            ..self.passive_code(&code, false)
        };
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

/// A variable, or a field of one.
fn is_named(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Path(p) => p.path.get_ident().is_some(),
        syn::Expr::Field(f) => is_named(&f.base),
        _ => false,
    }
}
