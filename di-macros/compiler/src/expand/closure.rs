//! The function once more, as a closure that is never called: rustc finds the same mistakes in it.

use super::{Origin, generics, names};
use proc_macro2::TokenStream;
use quote::quote;

/// An expression that holds the function without marks as a closure. None if a closure cannot be the same.
///
/// That of a method speaks of `self` by another name, and the head of a `for` is another one in each copy. What
/// is borrowed in such a function is not looked at twice: all of it stands behind a value that there cannot
/// be. That of a generic function stands in an impl with the same parameters.
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
        || sig.receiver().is_some()
        || names::lends(&sig.output)
    {
        return None;
    }
    let mut block = function.block.clone();
    let names = names::bound_names(&block);
    if origin.owner.is_some() || names::walks_values(&block) {
        block
            .stmts
            .insert(0, syn::parse_quote!(let _ = #rt::never();));
    }
    let output = match &sig.output {
        syn::ReturnType::Default => quote!(-> ()),
        output => quote!(#output),
    };
    let inputs = &sig.inputs;
    let closure = quote!({ #({ let #names = (); })* |#inputs| #output #block });
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
