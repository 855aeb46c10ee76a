//! Lengths and types that are written at a call: `f::<3>(..)`.

use crate::ir::Tokens;
use quote::ToTokens;

/// `a::f::<3>` as `a::f` and `<3>`; `None` if other parts have arguments too.
pub(super) fn split_instance(path: &syn::Path) -> Option<(syn::Path, Option<Tokens>)> {
    let mut plain = path.clone();
    let last = plain.segments.last_mut()?;
    let arguments = std::mem::take(&mut last.arguments);
    if plain.segments.iter().any(|s| !s.arguments.is_none()) {
        return None;
    }
    let instance = match arguments {
        syn::PathArguments::None => None,
        syn::PathArguments::AngleBracketed(mut a) if a.args.iter().all(is_argument) => {
            a.colon2_token = None;
            Some(Tokens(a.to_token_stream()))
        }
        syn::PathArguments::AngleBracketed(_) | syn::PathArguments::Parenthesized(_) => {
            return None;
        }
    };
    Some((plain, instance))
}

/// `3`, `{ N + 1 }`, `N`, `Linear`, `_`
fn is_argument(arg: &syn::GenericArgument) -> bool {
    matches!(
        arg,
        syn::GenericArgument::Const(_) | syn::GenericArgument::Type(_)
    )
}
