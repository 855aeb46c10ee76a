//! Items without the aliases of their file, what verifies these, and what else the file says.

use super::imported::Imported;
use super::signatures::Answer;
use crate::answer::same;
use crate::lower::aliases::{Around, add_defaults_at, collect, mark_numeric, read_around};
use crate::lower::bundles::{mark_block, mark_function};
use crate::lower::data::{self, data_among};
use crate::lower::resized::Resized;
use crate::sorted::Set;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// What the file of an item adds to it.
#[derive(Default)]
pub(super) struct OfFile {
    /// What verifies aliases.
    pub(super) checks: TokenStream,
    pub(super) known: Vec<Answer>,
    /// Types that it does not name, and which it has to know of.
    pub(super) types: Vec<TokenStream>,
    /// Structs that borrow, declared or imported.
    bundles: Set<String>,
    /// Types without floats.
    data: Set<String>,
    /// What changes the lengths of vectors in structs.
    resized: Resized,
}

impl OfFile {
    fn new(around: Around, item: TokenStream, at: Span) -> OfFile {
        let mut words = Set::default();
        collect(item, &mut words);
        let imported = Imported::at(at, Some(&words));
        OfFile {
            bundles: (around.bundles.into_iter())
                .chain(imported.bundles)
                .collect(),
            data: data_among(around.blocks.iter()),
            checks: match around.same.is_empty() {
                true => TokenStream::new(),
                false => same(&around.same),
            },
            known: (around.blocks.iter())
                .map(ToTokens::to_token_stream)
                .chain(imported.blocks)
                .map(Answer::of_module)
                .collect(),
            types: around.types,
            resized: around.resized,
        }
    }
}

pub(super) fn in_function(function: &syn::ItemFn) -> (syn::ItemFn, OfFile) {
    let at = function.sig.ident.span();
    let mut around = read_around(&function.clone().into(), at);
    let item = around.item.take();
    let of_file = OfFile::new(around, function.to_token_stream(), at);
    let mut function = match item {
        Some(syn::Item::Fn(function)) => function,
        _ => function.clone(),
    };
    mark_numeric(&mut function);
    mark_function(&mut function, &of_file.bundles);
    data::mark_function(&mut function, &of_file.data);
    of_file.resized.mark_function(&mut function);
    (function, of_file)
}

pub(super) fn in_block(written: &syn::ItemImpl) -> (syn::ItemImpl, OfFile) {
    let (at, mut block) = (written.impl_token.span, written.clone());
    add_defaults_at(&mut block, at);
    let mut around = read_around(&block.clone().into(), at);
    let item = around.item.take();
    let of_file = OfFile::new(around, block.to_token_stream(), at);
    if let Some(syn::Item::Impl(written)) = item {
        block = written;
    }
    mark_block(&mut block, &of_file.bundles);
    data::mark_block(&mut block, &of_file.data);
    of_file.resized.mark_block(&mut block);
    (block, of_file)
}
