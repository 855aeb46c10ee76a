//! Items without the aliases of their file, and what verifies these.

use crate::answer::same;
use crate::lower::aliases::written_out;
use proc_macro2::TokenStream;

pub(super) fn in_function(function: &syn::ItemFn) -> (syn::ItemFn, TokenStream) {
    match written_out(&function.clone().into(), function.sig.ident.span()) {
        Some((syn::Item::Fn(function), read)) => (function, same(&read)),
        _ => (function.clone(), TokenStream::new()),
    }
}

pub(super) fn in_block(block: &syn::ItemImpl) -> (syn::ItemImpl, TokenStream) {
    match written_out(&block.clone().into(), block.impl_token.span) {
        Some((syn::Item::Impl(block), read)) => (block, same(&read)),
        _ => (block.clone(), TokenStream::new()),
    }
}
