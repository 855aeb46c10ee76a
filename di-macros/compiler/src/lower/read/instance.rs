//! Lengths that are written at a call: `f::<3>(..)`.

use crate::ir::Tokens;
use quote::ToTokens;

/// `a::f::<3>` as `a::f` and `<3>`; `None` if the arguments are no constants.
pub(super) fn split_instance(path: &syn::Path) -> Option<(syn::Path, Option<Tokens>)> {
    let mut plain = path.clone();
    let last = plain.segments.last_mut()?;
    let arguments = std::mem::take(&mut last.arguments);
    if plain.segments.iter().any(|s| !s.arguments.is_none()) {
        return None;
    }
    let instance = match arguments {
        syn::PathArguments::None => None,
        syn::PathArguments::AngleBracketed(mut a) if a.args.iter().all(is_constant) => {
            a.colon2_token = None;
            Some(Tokens(a.to_token_stream()))
        }
        syn::PathArguments::AngleBracketed(_) | syn::PathArguments::Parenthesized(_) => {
            return None;
        }
    };
    Some((plain, instance))
}

/// `3`, `{ N + 1 }`, `N`, `_`
fn is_constant(arg: &syn::GenericArgument) -> bool {
    match arg {
        syn::GenericArgument::Const(_) | syn::GenericArgument::Type(syn::Type::Infer(_)) => true,
        syn::GenericArgument::Type(syn::Type::Path(p)) => {
            let name = p.path.segments.last().map(|s| s.ident.to_string());
            let name = name.unwrap_or_default();
            p.qself.is_none() && name == name.to_uppercase()
        }
        _ => false,
    }
}
