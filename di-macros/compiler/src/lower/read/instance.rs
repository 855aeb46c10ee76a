//! What is written at a call beside numbers: lengths and types, `f::<3>(..)`, and handles, `f::AD`.

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

/// `f::AD`
pub(super) fn is_handle(e: &syn::Expr) -> bool {
    match super::expr::strip(e) {
        syn::Expr::Reference(r) => is_handle(&r.expr),
        syn::Expr::Path(p) => {
            p.path.segments.len() > 1 && p.path.segments.last().is_some_and(|s| s.ident == "AD")
        }
        _ => false,
    }
}
