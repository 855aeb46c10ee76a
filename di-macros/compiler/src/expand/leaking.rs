//! Private types in fields of types that are not private: these go into implementations of public traits, where rustc
//! refuses a type that is declared as private (E0446).

use super::varied;
use crate::sorted::Set;
use crate::template::{parse_quote, quote};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident};

/// Their names: those that are `derived`, and what these hold in turn, as they are declared as public.
pub(super) fn private_fields(items: &[syn::Item], derived: &[String]) -> Set<String> {
    let types = items.iter().filter_map(|item| match item {
        syn::Item::Struct(s) => Some((&s.ident, &s.vis, s.fields.to_token_stream())),
        syn::Item::Enum(e) => Some((&e.ident, &e.vis, e.variants.to_token_stream())),
        _ => None,
    });
    let is_private = |vis: &syn::Visibility| matches!(vis, syn::Visibility::Inherited);
    let (mut private, seen): (Vec<_>, Vec<_>) = types.partition(|(_, vis, _)| is_private(vis));
    let mut holders: Vec<_> = (seen.into_iter().map(|(.., fields)| (fields, false))).collect();
    let mut found = Set::new();
    while let Some((fields, is_declared)) = holders.pop() {
        private.retain(|(name, _, own)| {
            let leaks = (is_declared || derived.iter().any(|of| *name == of))
                && varied::speaks_of(fields.clone(), &mut |word| *name == word);
            if leaks {
                found.insert(name.to_string());
                holders.push((own.clone(), true));
            }
            !leaks
        });
    }
    found
}

/// The item; if it is one of these, it is declared as public where nobody sees it.
pub(super) fn declared(mut item: syn::Item, leaking: &Set<String>) -> TokenStream {
    let (name, vis, fields) = match &mut item {
        syn::Item::Struct(s) => (s.ident.clone(), &mut s.vis, s.fields.iter_mut().collect()),
        // what variants hold is seen where the enum is
        syn::Item::Enum(e) => (e.ident.clone(), &mut e.vis, Vec::new()),
        _ => return item.into_token_stream(),
    };
    if !leaking.contains(&name.to_string()) {
        return item.into_token_stream();
    }
    *vis = parse_quote!(pub);
    for f in fields {
        match &f.vis {
            syn::Visibility::Inherited => f.vis = parse_quote!(pub(super)),
            syn::Visibility::Restricted(r) if r.path.is_ident("super") => {
                f.vis = parse_quote!(pub(in super::super));
            }
            _ => {}
        }
    }
    let inner = format_ident!("__{name}_of");
    quote!(
        #[allow(non_snake_case, unused_imports, unreachable_pub, missing_docs, private_interfaces)]
        mod #inner {
            use super::*;
            #item
        }
        use #inner::#name;
    )
}
