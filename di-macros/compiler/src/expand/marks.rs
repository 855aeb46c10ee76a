//! What functions of a module say of themselves.

use crate::lower::environment::Environment;

/// Attributes that give derivatives themselves.
pub(super) fn has_rule(attrs: &[syn::Attribute]) -> bool {
    let of = |a: &syn::Attribute| a.path().segments.last().map(|s| s.ident.to_string());
    attrs
        .iter()
        .filter_map(of)
        .any(|name| ["custom_rule", "implicit", "generic"].contains(&&*name))
}

/// Whether a function writes to what may be differentiated.
pub(super) fn lends_active(sig: &syn::Signature, env: &Environment) -> bool {
    let mut inputs = sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(p) => Some(p),
        syn::FnArg::Receiver(_) => None,
    });
    inputs.any(|p| {
        let by_mut = matches!(&*p.ty, syn::Type::Reference(r) if r.mutability.is_some());
        by_mut && env.is_active(&p.ty)
    })
}
