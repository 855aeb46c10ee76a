//! Private structs in fields of structs that are not private: their types go into implementations of public traits,
//! where rustc refuses a type that is declared as private (E0446).

use super::varied;
use crate::sorted::Set;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

/// Their names.
pub(super) fn private_fields(items: &[syn::Item]) -> Set<String> {
    let is_private = |s: &&syn::ItemStruct| matches!(s.vis, syn::Visibility::Inherited);
    let structs = || {
        items.iter().filter_map(|item| match item {
            syn::Item::Struct(s) => Some(s),
            _ => None,
        })
    };
    let is_in_field = |name: &str| {
        let mut fields = structs().filter(|s| !is_private(s)).flat_map(|s| &s.fields);
        fields.any(|f| varied::speaks_of(f.ty.to_token_stream(), &mut |word| word == name))
    };
    let private = structs().filter(is_private).map(|s| s.ident.to_string());
    private.filter(|name| is_in_field(name)).collect()
}

/// A private struct that is declared as public where nobody sees it.
pub(super) fn in_private(mut s: syn::ItemStruct) -> TokenStream {
    let name = s.ident.clone();
    let inner = format_ident!("__{name}_of");
    s.vis = syn::parse_quote!(pub);
    for f in &mut s.fields {
        match &f.vis {
            syn::Visibility::Inherited => f.vis = syn::parse_quote!(pub(super)),
            syn::Visibility::Restricted(r) if r.path.is_ident("super") => {
                f.vis = syn::parse_quote!(pub(in super::super));
            }
            _ => {}
        }
    }
    quote!(
        #[allow(non_snake_case, unused_imports, unreachable_pub, missing_docs)]
        mod #inner {
            use super::*;
            #s
        }
        use #inner::#name;
    )
}
