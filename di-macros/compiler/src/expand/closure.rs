//! The function once more, as a closure that is never called: rustc finds the same mistakes in it.

use super::{Origin, generics, names};
use crate::template::{parse_quote, quote};
use proc_macro2::TokenStream;
use quote::ToTokens;

/// An expression that holds the function without marks as a closure. None if a closure cannot be the same.
///
/// That of a method speaks of `self` by another name, and lifetimes of results are others in a closure. What is
/// borrowed in such a function is not looked at twice: all of it stands behind a value that there cannot be.
/// That of a generic function stands in an impl with the same parameters.
pub(super) fn as_closure(
    function: &syn::ItemFn,
    origin: &Origin<'_>,
    rt: &TokenStream,
) -> Option<TokenStream> {
    let sig = &function.sig;
    let params = &sig.generics.params;
    let generic_type = params
        .iter()
        .any(|p| matches!(p, syn::GenericParam::Type(_)));
    if generic_type
        || sig.asyncness.is_some()
        || sig.unsafety.is_some()
        || names::has_unnamed_types(sig)
        || sig.receiver().is_some()
        || names::implements(&function.block)
    {
        return None;
    }
    let mut block = origin.block.as_ref().unwrap_or(&function.block).clone();
    let names = names::bound_names(&block);
    if origin.owner.is_some() || names::lends(&sig.output) {
        block.stmts.insert(0, parse_quote!(let _ = #rt::never();));
    }
    let output = match &sig.output {
        syn::ReturnType::Default => quote!(-> ()),
        output => output.to_token_stream(),
    };
    let inputs = &sig.inputs;
    // rustc looks for names that are missing in the block before
    let last = (!names.is_empty()).then(|| quote!({}));
    let closure = quote!({ #({ let #names = (); })* #last |#inputs| #output #block });
    if params.is_empty() {
        return Some(closure);
    }
    let generics = generics::generics_of(function, origin);
    let (defaults, arguments) = (generics.with_defaults(), generics.arguments());
    let bounds = &sig.generics.where_clause;
    // any length will do: the closure is looked at for all of them
    Some(quote!({
        struct __Of #defaults {}
        impl<#params> __Of #arguments #bounds {
            const CHECKED: () = {
                let _ = #closure;
            };
        }
        <__Of>::CHECKED
    }))
}
