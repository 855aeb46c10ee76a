//! Generic functions: which parameters their handles have.

use super::Origin;
use crate::emit::Generics;
use crate::error;
use crate::lower::extent::HasExtent;
use crate::report::Report;
use quote::{ToTokens, quote};

/// The constant parameters of a function that belongs to no type.
pub(super) fn generics_of(sig: &syn::Signature, origin: &Origin<'_>) -> Generics {
    if origin.owner.is_some() {
        return Generics::default();
    }
    let params = sig.generics.const_params().map(|p| {
        let ty = p.ty.to_token_stream();
        // any value will do: nothing that is common to all instances depends on it
        let value = match ty.to_string().as_str() {
            "bool" => quote!(false),
            "char" => quote!('0'),
            _ => quote!(0),
        };
        (p.ident.clone(), ty, value)
    });
    Generics::new(params.collect())
}

/// Refuses methods with constant parameters: a type leads to one handle for each of its methods.
/// False if there are some.
pub(super) fn check_method(sig: &syn::Signature, origin: &Origin<'_>, cx: &Report) -> bool {
    if origin.owner.is_none() {
        return true;
    }
    for p in sig.generics.const_params() {
        cx.error(p.extent(), &error::GENERICS);
    }
    sig.generics.const_params().next().is_none()
}
