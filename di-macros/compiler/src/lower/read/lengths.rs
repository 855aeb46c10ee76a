//! Lengths of methods and operators that are generic over them: they follow from what a call is given.

use super::Reader;
use crate::ir::Tokens;
use crate::lower::hir::Expr;
use crate::lower::methods::Method;
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::template::parse_quote;
use proc_macro2::TokenStream;
use quote::ToTokens;

impl Reader<'_> {
    /// The path of a struct with lengths that show elsewhere, if it has some and they are not written.
    pub(super) fn with_open_lengths(&mut self, path: &syn::Path) -> Tokens {
        let mut path = path.clone();
        let count = self.env.count_lengths(&path.to_token_stream().to_string());
        if let Some(last) = path.segments.last_mut() {
            if last.arguments.is_none() && count > 0 {
                let lengths = (0..count).map(|_| self.types.fresh_length().0);
                last.arguments = syn::PathArguments::AngleBracketed(parse_quote!(<#(#lengths),*>));
            }
            if let syn::PathArguments::AngleBracketed(args) = &mut last.arguments {
                // as a type is written
                args.colon2_token = None;
            }
        }
        Tokens(path.into_token_stream())
    }

    /// `Matrix::ZERO`, `Matrix::<C, R>::ZERO`: the type of a constant that is of its own struct, and its code.
    pub(super) fn constant_with_lengths(
        &mut self,
        path: &syn::Path,
    ) -> Option<(Tokens, TokenStream)> {
        let mut owner = path.clone();
        let name = owner.segments.pop()?.into_value().ident;
        owner.segments.pop_punct();
        let mut known = owner.clone();
        known.segments.last_mut()?.arguments = syn::PathArguments::None;
        let known = known.to_token_stream().to_string();
        let has_lengths = self.env.count_lengths(&known) > 0;
        let written = has_lengths.then(|| self.env.written(&format!("{known}::{name}")))??;
        let of = written.to_token_stream().to_string();
        if self.env.of(&of) != self.env.of(&known) {
            return None;
        }
        let of = self.with_open_lengths(&owner);
        let ty = &of.0;
        let code: syn::ExprPath = parse_quote!(<#ty>::#name);
        Some((of, code.into_token_stream()))
    }

    /// A method of the struct with this path, with the lengths of the struct.
    pub(super) fn with_own_lengths(
        &mut self,
        method: &Method,
        path: &Tokens,
        written: &[Tokens],
    ) -> Method {
        let method = self.with_lengths(method, written);
        for of in &method.of {
            self.match_type(of, &Ty::Struct(path.clone()));
        }
        method
    }

    /// A method with lengths that show elsewhere, unless its own are written.
    pub(super) fn with_lengths(&mut self, method: &Method, written: &[Tokens]) -> Method {
        if method.lengths.is_empty() {
            return method.clone();
        }
        let before = method.lengths.len() - method.own;
        let found = (0..method.lengths.len()).map(|k| {
            let written = k.checked_sub(before).and_then(|k| written.get(k));
            match written.filter(|n| n.0.to_string() != "_") {
                Some(written) => written.clone(),
                None => self.types.fresh_length(),
            }
        });
        method.with_lengths(found.collect())
    }

    /// Finds lengths of a method in its arguments.
    pub(super) fn match_inputs<'e>(
        &mut self,
        method: Option<&Method>,
        args: impl Iterator<Item = &'e Expr>,
    ) {
        if let Some(method) = method.filter(|method| !method.lengths.is_empty()) {
            for (input, arg) in method.inputs.iter().zip(args) {
                self.match_type(input, &arg.ty);
            }
        }
    }

    /// Finds lengths of an operator in the type of a side.
    pub(super) fn match_side(&mut self, written: &syn::Type, side: &TokenStream) {
        if let Ok(side) = syn::parse2::<syn::Type>(side.clone())
            && let Some(found) = types::read_local(&side, self.float, &mut self.types)
        {
            self.match_type(written, &found);
        }
    }

    /// Finds lengths of a type as it is written. rustc reports what does not fit.
    pub(super) fn match_type(&mut self, written: &syn::Type, found: &Ty) {
        let plain = types::read_plain(written, self.float, &mut self.types);
        let Some(written) = plain.or_else(|| types::read_structs(written)) else {
            return;
        };
        let found = match self.types.peel(found) {
            // a constant that the compiler does not look into
            Ty::Opaque(found) => {
                let Ok(found) = syn::parse2::<syn::Type>(found.0) else {
                    return;
                };
                types::read_plain(&found, self.float, &mut self.types)
                    .or_else(|| types::read_structs(&found))
            }
            Ty::Var(_) => None,
            found => Some(found),
        };
        if let Some(found) = found {
            // in this order: what is written becomes what is found
            let _ = self.types.unify(&self.types.peel(&written), &found);
        }
    }
}
