//! Items without the aliases of their file, what verifies these, and what else the file says.

use super::signatures::Answer;
use crate::answer::same;
use crate::lower::aliases::{Around, read_around};
use proc_macro2::TokenStream;
use quote::ToTokens;

/// What the file of an item adds to it.
pub(super) struct OfFile {
    /// What verifies aliases.
    pub(super) checks: TokenStream,
    pub(super) known: Vec<Answer>,
}

impl OfFile {
    fn new(around: Around) -> OfFile {
        OfFile {
            checks: match around.same.is_empty() {
                true => TokenStream::new(),
                false => same(&around.same),
            },
            known: (around.blocks.iter())
                .map(|block| Answer::of_module(block.to_token_stream()))
                .collect(),
        }
    }
}

pub(super) fn in_function(function: &syn::ItemFn) -> (syn::ItemFn, OfFile) {
    let mut around = read_around(&function.clone().into(), function.sig.ident.span());
    match around.item.take() {
        Some(syn::Item::Fn(function)) => (function, OfFile::new(around)),
        _ => (function.clone(), OfFile::new(around)),
    }
}

pub(super) fn in_block(block: &syn::ItemImpl) -> (syn::ItemImpl, OfFile) {
    let mut around = read_around(&block.clone().into(), block.impl_token.span);
    match around.item.take() {
        Some(syn::Item::Impl(block)) => (block, OfFile::new(around)),
        _ => (block.clone(), OfFile::new(around)),
    }
}
