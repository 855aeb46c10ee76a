//! The types that a module imports, as far as their files tell what they are.

use super::module::Module;
use super::signatures::by_path;
use crate::lower::aliases::{
    Type, functions_elsewhere, imported_data, imported_types, imports_at, in_scope, skipped,
    types_elsewhere,
};
use crate::lower::resized::Resized;
use crate::options::Options;
use crate::report::Report;
use crate::sorted::Set;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;

#[derive(Default)]
pub(super) struct Imported {
    /// Derived structs.
    pub(super) active: Vec<String>,
    /// Those of them that borrow.
    pub(super) bundles: Set<String>,
    /// Structs that are neither derived nor cloned.
    pub(super) not_cloned: Vec<String>,
    /// Blocks of enums and of structs that are not derived, which cannot be asked, without bodies; for a module these
    /// types too.
    pub(super) blocks: Vec<TokenStream>,
}

impl Imported {
    /// What an annotated module imports, and the types and functions that it names by paths.
    pub(super) fn of_module(at: Span, items: &[syn::Item]) -> Imported {
        let mut found = Imported::at(at, None);
        found.add(types_elsewhere(items, at), &imports_at(at));
        let called = items.iter().flat_map(|item| functions_elsewhere(item, at));
        let called = called.map(ToTokens::into_token_stream);
        found.blocks.extend(called);
        found
    }

    /// What the module of a token imports. `words`: of what the item speaks, if not all of it is wanted.
    pub(super) fn at(at: Span, words: Option<&Set<String>>) -> Imported {
        let (mut found, names) = (Imported::default(), imports_at(at));
        let is_wanted = |name: &str| words.is_none_or(|words| words.contains(name));
        if words.is_none() {
            let data = imported_data(at, &is_wanted).into_iter();
            (found.blocks).extend(data.filter_map(skipped).map(ToTokens::into_token_stream));
        }
        found.add(imported_types(at, &is_wanted), &names);
        found
    }

    /// Notes instances of generic structs that nested modules have, with the items of these.
    pub(super) fn add_nested(&mut self, instances: Vec<(String, Vec<syn::Item>)>) {
        for (name, items) in instances {
            let of = Type::Of(items, name.clone());
            self.add(vec![(name, of)], &Set::new());
        }
    }

    /// Notes types by their names here. `names`: what else is imported.
    fn add(&mut self, types: Vec<(String, Type)>, names: &Set<String>) {
        for (name, ty) in types {
            match ty {
                Type::Derived => self.active.push(name),
                Type::Bundle => self.add_bundle(name),
                Type::Plain {
                    is_clone,
                    own,
                    blocks,
                } => {
                    self.add_blocks(&name, &own, blocks, names);
                    self.not_cloned.extend((!is_clone).then_some(name));
                }
                Type::Of(items, own) => match of_module(items, &own) {
                    OfModule::Data(blocks) => self.add_blocks(&name, &own, blocks, names),
                    OfModule::Derived => self.active.push(name),
                    OfModule::Bundle => self.add_bundle(name),
                },
            }
        }
    }

    fn add_bundle(&mut self, name: String) {
        self.bundles.insert(name.clone());
        self.active.push(name);
    }

    /// `own`: the name of the type where it is declared.
    fn add_blocks(
        &mut self,
        name: &str,
        own: &str,
        blocks: Vec<syn::ItemImpl>,
        names: &Set<String>,
    ) {
        let is_known = |word: &str| word == own || names.contains(word);
        let own = Ident::new(own, Span::call_site());
        let local: TokenStream = name.parse().unwrap_or_default();
        let blocks = blocks
            .into_iter()
            .filter_map(|block| in_scope(block, &is_known));
        let text = blocks.map(|b| by_path(b.into_token_stream(), &own, &local));
        self.blocks.extend(text);
    }
}

/// A type of an annotated module.
enum OfModule {
    /// It is not derived: its blocks.
    Data(Vec<syn::ItemImpl>),
    Derived,
    Bundle,
}

/// What the type of this name is in an annotated module with these items.
fn of_module(mut items: Vec<syn::Item>, name: &str) -> OfModule {
    super::copied::put_into(&mut items);
    let cx = Report::default();
    super::instances::put_into(&mut items, &cx);
    cx.discard();
    let marked = super::varied::mark(&mut items, &Set::new());
    if marked.bundles.contains(name) {
        return OfModule::Bundle;
    }
    let (options, attr) = (Options::default(), TokenStream::new());
    let module = Module::new(
        &items,
        marked,
        Resized::default(),
        &options,
        &attr,
        (Imported::default(), super::boxed::Boxed::default()),
    );
    match module.blocks_of(name) {
        Some(blocks) => OfModule::Data(blocks),
        None => OfModule::Derived,
    }
}
