//! What functions of a module say of themselves.

use crate::lower::environment::Environment;
use syn::punctuated::Punctuated;

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

/// Whether an item is there in tests alone: `#[test]`, `#[cfg(test)]`, `#[cfg(all(test, ..))]`.
pub(crate) fn is_test(attrs: &[syn::Attribute]) -> bool {
    fn asks(meta: &syn::Meta) -> bool {
        match meta {
            syn::Meta::Path(path) => path.is_ident("test"),
            syn::Meta::List(list) if list.path.is_ident("cfg") || list.path.is_ident("all") => {
                let all = Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated;
                list.parse_args_with(all)
                    .is_ok_and(|all| all.iter().any(asks))
            }
            syn::Meta::List(_) | syn::Meta::NameValue(_) => false,
        }
    }
    attrs.iter().any(|a| asks(&a.meta))
}
