//! What was read of aliases, verified by rustc.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Items that do not compile if an alias is another type than this.
pub(crate) fn same(read: &[(Ident, TokenStream)]) -> TokenStream {
    let quiet = crate::options::quiet();
    let same = read.iter().map(|(name, of)| {
        // of all types, also those without a size, and nothing is coerced
        quote! {{
            use ::core::marker::PhantomData as Is;
            fn _same(alias: Is<#name>) -> Is<#of> { alias }
        }}
    });
    quote!(#quiet const _: () = { #(#same)* };)
}
