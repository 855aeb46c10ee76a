//! Traits of an annotated module: what an `impl` block leaves to the trait belongs to the block.

use super::instances::substitute;
use crate::lower::aliases::{add_defaults, add_defaults_at, beside_imports};
use crate::lower::arguments;
use crate::lower::resized::Resized;
use crate::walk::{self, NodeMut, Onward};
use syn::spanned::Spanned;

/// The traits of a module.
#[derive(Default)]
pub(super) struct Traits<'a>(Vec<&'a syn::ItemTrait>);

impl<'a> Traits<'a> {
    pub(super) fn of(items: &'a [syn::Item]) -> Self {
        let found = items.iter().filter_map(|item| match item {
            syn::Item::Trait(t) => Some(t),
            _ => None,
        });
        Traits(found.collect())
    }

    /// The block with the methods and constants that the trait has and the block has not.
    pub(super) fn completed(&self, block: &syn::ItemImpl) -> syn::ItemImpl {
        let mut block = block.clone();
        let at = block.impl_token.span;
        let path = block.trait_.as_ref().map(|(_, path, _)| path);
        let named = path.filter(|path| path.segments.len() == 1);
        let of_trait = named.and_then(|path| {
            let of = self.0.iter().find(|t| path.segments[0].ident == t.ident)?;
            Some(with_types(of, &arguments(path)))
        });
        match of_trait {
            Some(of_trait) => add_defaults(&mut block, &of_trait),
            None => add_defaults_at(&mut block, at),
        }
        with_own_types(block)
    }

    /// The trait without the marks of its functions.
    pub(super) fn original(item: &syn::ItemTrait) -> syn::ItemTrait {
        let mut item = item.clone();
        for inner in &mut item.items {
            if let syn::TraitItem::Fn(f) = inner {
                f.attrs
                    .retain(|a| !crate::options::is_ours(a) && !crate::options::is_skip(a));
                for input in &mut f.sig.inputs {
                    if let syn::FnArg::Typed(p) = input {
                        p.attrs.retain(|a| !a.path().is_ident("constant"));
                    }
                }
            }
        }
        item
    }
}

/// `Self::Params` as the block says what it is.
fn with_own_types(block: syn::ItemImpl) -> syn::ItemImpl {
    let types = block.items.iter().filter_map(|item| match item {
        syn::ImplItem::Type(t) => Some((t.ident.clone(), t.ty.clone())),
        _ => None,
    });
    let types: Vec<(syn::Ident, syn::Type)> = types.collect();
    let mut item = syn::Item::Impl(block);
    walk::change(NodeMut::Item(&mut item), &mut |node| {
        let NodeMut::Type(ty) = node else {
            return Onward::Into;
        };
        let found = match &*ty {
            syn::Type::Path(p) if p.qself.is_none() && p.path.segments.len() == 2 => {
                let [of, name] = [0, 1].map(|k| &p.path.segments[k].ident);
                let known = types.iter().find(|(own, _)| of == "Self" && own == name);
                known.map(|(_, ty)| ty.clone())
            }
            _ => None,
        };
        found.map_or(Onward::Into, |found| {
            *ty = found;
            Onward::Over
        })
    });
    match item {
        syn::Item::Impl(block) => block,
        _ => unreachable!("it was one"),
    }
}

/// A trait with types in the place of its parameters.
fn with_types(of: &syn::ItemTrait, types: &[&syn::Type]) -> syn::ItemTrait {
    let mut of = of.clone();
    let params = std::mem::take(&mut of.generics.params);
    let params = params.iter().filter_map(|p| match p {
        syn::GenericParam::Type(p) => Some(p),
        _ => None,
    });
    let known = params.enumerate().filter_map(|(k, p)| {
        let ty = types.get(k).copied().or(p.default.as_ref())?;
        Some((p.ident.to_string(), ty.clone()))
    });
    let known = known.collect();
    let mut item = syn::Item::Trait(of);
    substitute(&known, &mut item);
    match item {
        syn::Item::Trait(of) => of,
        _ => unreachable!("it was one"),
    }
}

/// What the items of a module do to the lengths of its structs, and of those that it imports.
pub(super) fn resized(items: &[syn::Item]) -> Resized {
    let traits = Traits::of(items);
    let beside = items.first().map(|first| beside_imports(first.span()));
    let whole = items.iter().map(|item| match item {
        syn::Item::Impl(block) => syn::Item::Impl(traits.completed(block)),
        item => item.clone(),
    });
    let all: Vec<syn::Item> = whole.chain(beside.unwrap_or_default()).collect();
    Resized::of(all.iter())
}
