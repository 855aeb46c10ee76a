//! Methods of trait objects, which are a choice between those of all types that are behind them.

use super::Reader;
use super::expr::strip;
use crate::error;
use crate::lower::extent::HasExtent;
use crate::lower::hir::Expr;
use crate::lower::types::trait_of;
use crate::symbol::cast;
use proc_macro2::{Ident, Span};

impl Reader<'_> {
    /// `payoff.value(s)` of `payoff: &dyn Payoff`, if what is given may be differentiated.
    pub(super) fn method_of_object(&mut self, m: &syn::ExprMethodCall) -> Option<Expr> {
        let of_trait = self.active_object(m)?;
        let Some(types) = self.env.objects(&of_trait) else {
            let name = m.method.to_string();
            return Some(self.refuse_about(m.extent(), &error::TRAIT_OBJECT, name));
        };
        let (receiver, name) = (&m.receiver, &m.method);
        let mut given: Vec<syn::Stmt> = Vec::new();
        let args: Vec<syn::Expr> = m
            .args
            .iter()
            .enumerate()
            .map(|(k, arg)| match strip(arg) {
                syn::Expr::Path(_) | syn::Expr::Lit(_) | syn::Expr::Reference(_) => arg.clone(),
                _ => {
                    let own = Ident::new(&format!("__given{k}"), Span::call_site());
                    given.push(syn::parse_quote!(let #own = #arg;));
                    syn::parse_quote!(#own)
                }
            })
            .collect();
        let arms = types.iter().enumerate().map(|(k, ty)| -> syn::Arm {
            let (cast, ty) = (cast(ty), Ident::new(ty, Span::call_site()));
            syn::parse_quote!(#k => { let __object: &#ty = (#receiver).#cast(); __object.#name(#(#args),*) })
        });
        let chosen: syn::Expr = syn::parse_quote!({
            #(#given)*
            match (#receiver).__which() { #(#arms)* _ => ::core::panic!("an object of another type") }
        });
        Some(self.expr(&chosen))
    }

    /// The trait of an object whose method is called with what may be differentiated.
    pub(super) fn active_object(&self, m: &syn::ExprMethodCall) -> Option<String> {
        let is_active = m.args.iter().any(|arg| self.may_be_active(arg));
        is_active.then(|| self.object_of(&m.receiver)).flatten()
    }

    /// The trait of an object, behind references and boxes.
    fn object_of(&self, e: &syn::Expr) -> Option<String> {
        match strip(e) {
            syn::Expr::Unary(syn::ExprUnary {
                op: syn::UnOp::Deref(_),
                expr,
                ..
            }) => self.object_of(expr),
            syn::Expr::Reference(r) => self.object_of(&r.expr),
            syn::Expr::MethodCall(m) if m.method == "as_ref" && m.args.is_empty() => {
                self.object_of(&m.receiver)
            }
            e => trait_of(&self.type_as_written(e)?),
        }
    }
}
