//! Methods of annotated `impl` blocks in the file of an item.

use super::Scope;
use super::imports::name_of;
use super::scan::{Found, What, is_called_by_sign};
use crate::lower::bundles::mark_block;
use crate::lower::data::{self, changes_self};
use crate::lower::portable::is_portable;
use crate::lower::resized::Resized;
use crate::lower::ungroup;
use crate::lower::{cloned, extension, inline, iterated};
use crate::options;
use crate::sorted::Set;
use crate::symbol::OPERATOR_TRAITS;
use crate::template::parse_quote;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Types and traits that are in scope everywhere, and their types.
const OF_PRELUDE: [&str; 22] = [
    "AsRef",
    "Box",
    "Clone",
    "Copy",
    "DoubleEndedIterator",
    "Err",
    "ExactSizeIterator",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "Into",
    "IntoIterator",
    "Item",
    "Iterator",
    "Option",
    "Output",
    "Result",
    "Self",
    "Sized",
    "String",
    "Vec",
];

/// Whether a block belongs to the type of this name, or is of an operator on it.
pub(crate) fn is_of(block: &syn::ItemImpl, name: &str) -> bool {
    let mut words = Set::default();
    let of_trait = block.trait_.as_ref().map(|(_, of, _)| of.to_token_stream());
    super::collect(of_trait.unwrap_or_default(), &mut words);
    super::collect(block.self_ty.to_token_stream(), &mut words);
    words.contains(name)
}

/// The names of the parameters of generics that are types and lengths.
fn parameters(generics: &syn::Generics) -> Vec<String> {
    let names = generics.params.iter().filter_map(name_of);
    names.map(ToString::to_string).collect()
}

/// The block without methods that speak of types with other names than these, if anything is left. What a body says that
/// stands in the place of calls is moved there with it.
pub(crate) fn in_scope(
    mut block: syn::ItemImpl,
    is_known: &dyn Fn(&str) -> bool,
) -> Option<syn::ItemImpl> {
    let lengths = parameters(&block.generics);
    let is_known = |tokens: TokenStream, own: &[String]| {
        let mut words = Set::default();
        super::collect(tokens, &mut words);
        let mut types = words
            .iter()
            .filter(|word| word.starts_with(char::is_uppercase));
        types.all(|word| {
            OF_PRELUDE.contains(&&**word)
                || lengths.contains(word)
                || own.contains(word)
                || is_known(word)
        })
    };
    block.items.retain(|item| match item {
        syn::ImplItem::Fn(f) => {
            f.attrs.iter().any(options::is_in_place)
                || is_known(f.sig.to_token_stream(), &parameters(&f.sig.generics))
        }
        syn::ImplItem::Type(ty) => is_known(ty.ty.to_token_stream(), &[]),
        _ => true,
    });
    is_known(block.self_ty.to_token_stream(), &[]).then_some(block)
}

/// Whether a derived struct has a `Clone` in its module that may be no copy, and is not annotated.
pub(crate) fn cloned_by_hand(name: &str, at: Span) -> bool {
    let all = &super::seen_at(at).items;
    let lines = super::innermost(all);
    let mut here = (all.iter()).filter(|f| f.what == What::PlainBlock && f.lines == lines);
    here.any(|f| {
        f.text.contains("Clone")
            && super::block_at(f, at).is_some_and(|block| {
                let own = match ungroup(&block.self_ty) {
                    syn::Type::Path(p) => p.path.segments.last().map(|s| &s.ident),
                    _ => None,
                };
                own.is_some_and(|own| own == name) && cloned::not_a_copy(&block).is_some()
            })
    })
}

/// The block without bodies but those that stand in the place of calls.
pub(super) fn read(text: &str) -> Option<String> {
    let mut block: syn::ItemImpl = syn::parse_str(text).ok()?;
    block.attrs.clear();
    extension::mark(&mut block);
    block = iterated::as_method(&block).unwrap_or(block);
    // of a bundle they all do
    let may_borrow = block.generics.lifetimes().next().is_some()
        || block.self_ty.to_token_stream().to_string().contains('\'');
    block.items.retain_mut(|item| match item {
        syn::ImplItem::Fn(f) => {
            f.attrs
                .retain(|a| options::is_skip(a) || options::is_in_place(a));
            let may_stand = inline::is_method_in_place(f) || may_change(&f.sig);
            if !may_stand && !may_borrow {
                f.block.stmts.clear();
            }
            true
        }
        syn::ImplItem::Const(_) | syn::ImplItem::Type(_) => true,
        _ => false,
    });
    Some(block.into_token_stream().to_string())
}

/// Whether something is borrowed to be changed.
fn may_change(sig: &syn::Signature) -> bool {
    let is_mutable = |input: &syn::FnArg| match input {
        syn::FnArg::Receiver(_) => false,
        syn::FnArg::Typed(p) => {
            matches!(ungroup(&p.ty), syn::Type::Reference(r) if r.mutability.is_some())
        }
    };
    changes_self(sig) || sig.inputs.iter().any(is_mutable)
}

/// The block where methods of structs of these names, which borrow, and those that change values of types without floats
/// have their bodies, and others have none but those that stand in the place of calls.
pub(super) fn marked(
    mut block: syn::ItemImpl,
    bundles: &Set<String>,
    data: &Set<String>,
    resized: &Resized,
) -> syn::ItemImpl {
    mark_block(&mut block, bundles);
    data::mark_block(&mut block, data);
    resized.mark_block(&mut block);
    for item in &mut block.items {
        if let syn::ImplItem::Fn(f) = item
            && !inline::is_method_in_place(f)
        {
            f.block.stmts.clear();
        }
    }
    block
}

/// The block as other modules know it: without bodies but those that stand in the place of calls. `is_at_home`: the
/// places of its tokens tell where it stands, and by these what its bodies mean. Otherwise they mean the same everywhere.
pub(crate) fn known_elsewhere(mut block: syn::ItemImpl, is_at_home: bool) -> syn::ItemImpl {
    block.attrs.clear();
    let whole = block.clone();
    block.items.retain_mut(|item| match item {
        syn::ImplItem::Fn(f) => {
            let is_in_place = inline::is_method_in_place(f);
            let is_known = !is_in_place || is_at_home || is_portable(f, &whole);
            f.attrs
                .retain(|a| options::is_skip(a) || options::is_in_place(a));
            if !is_in_place {
                f.block.stmts.clear();
            }
            is_known
        }
        syn::ImplItem::Const(_) | syn::ImplItem::Type(_) => true,
        _ => false,
    });
    block
}

/// What the methods of a block that is not annotated return; of a trait those that change the value, that make one, or
/// that an operator or `clone` calls.
pub(super) fn passive(mut block: syn::ItemImpl) -> syn::Item {
    let is_of_trait = block.trait_.is_some();
    let of_trait = block.trait_.as_ref().and_then(|t| t.1.segments.last());
    let is_known = of_trait.is_some_and(|last| is_called_by_sign(&last.ident.to_string()));
    block.items.retain_mut(|item| match item {
        syn::ImplItem::Fn(f) => {
            f.attrs = vec![parse_quote!(#[ad(skip)])];
            f.block.stmts.clear();
            // of others two traits may have one name
            let is_alone = f.sig.inputs.is_empty() || is_known;
            !is_of_trait || changes_self(&f.sig) || is_alone
        }
        _ => false,
    });
    syn::Item::Impl(block)
}

/// These words, and those of bodies that methods of these names put in the place of their calls.
pub(super) fn with_bodies(all: &[Found], words: &Set<String>, at: Span) -> Set<String> {
    let blocks = all.iter().filter(|f| f.what == What::Block);
    let items = blocks
        .filter_map(|f| super::block_at(f, at))
        .flat_map(|b| b.items);
    let mut bodies: Vec<syn::ImplItemFn> = items
        .filter_map(|item| match item {
            syn::ImplItem::Fn(f) if inline::is_method_in_place(&f) => Some(f),
            _ => None,
        })
        .collect();
    let mut words = words.clone();
    loop {
        let (named, rest): (Vec<_>, Vec<_>) =
            (bodies.into_iter()).partition(|f| words.contains(&f.sig.ident.to_string()));
        if named.is_empty() {
            return words;
        }
        for f in named {
            super::collect(f.block.into_token_stream(), &mut words);
        }
        bodies = rest;
    }
}

/// Whether the methods of a block are called by no name.
fn is_operator(block: &syn::ItemImpl) -> bool {
    let of_trait = block.trait_.as_ref().and_then(|t| t.1.segments.last());
    let mut known = (OPERATOR_TRAITS.iter())
        .map(|(name, _)| *name)
        .chain(["Index", "IndexMut"]);
    of_trait.is_some_and(|last| known.any(|name| last.ident == name))
}

/// The methods of a block that an item may call, itself or in a body that is put into it. Their types have to be in
/// scope there.
pub(super) fn called(
    mut block: syn::ItemImpl,
    names: &Scope<'_>,
    found: &Found,
) -> Option<syn::Item> {
    let (words, scope) = (names.words, names.of(found));
    let is_any = is_operator(&block) || names.plain.iter().any(|name| is_of(&block, name));
    let lengths = parameters(&block.generics);
    block.items.retain(|item| match item {
        syn::ImplItem::Fn(f) => {
            let own = parameters(&f.sig.generics);
            let names: Vec<&String> = lengths.iter().chain(&own).collect();
            let name = &f.sig.ident;
            (is_any || iterated::is_one(name) || words.contains(&name.to_string()))
                && are_in_scope(f.sig.to_token_stream(), scope, &names)
        }
        syn::ImplItem::Const(c) => words.contains(&c.ident.to_string()),
        _ => true,
    });
    let is_called = block
        .items
        .iter()
        .any(|i| matches!(i, syn::ImplItem::Fn(_)));
    let owner = block.self_ty.to_token_stream();
    let names: Vec<&String> = lengths.iter().collect();
    (is_called && are_in_scope(owner, scope, &names)).then(|| syn::Item::Impl(block))
}

/// `lengths`: what a block and its functions call these.
fn are_in_scope(tokens: TokenStream, words: &Set<String>, lengths: &[&String]) -> bool {
    tokens.into_iter().all(|tree| match tree {
        TokenTree::Ident(name) => {
            let name = name.to_string();
            !name.starts_with(char::is_uppercase)
                || OF_PRELUDE.contains(&&*name)
                || words.contains(&name)
                || lengths.contains(&&name)
        }
        TokenTree::Group(group) => are_in_scope(group.stream(), words, lengths),
        _ => true,
    })
}
