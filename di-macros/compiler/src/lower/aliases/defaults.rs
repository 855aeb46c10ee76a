//! What an `impl` block leaves to its trait belongs to the block.

use super::modules::Place;
use super::scan::{Found, What};
use crate::lower::portable::is_portable;
use crate::template::parse_quote;
use proc_macro2::Span;

/// Adds the methods and constants that the trait has and the block has not.
pub(crate) fn add_defaults(block: &mut syn::ItemImpl, of_trait: &syn::ItemTrait) {
    if !of_trait.generics.params.is_empty() {
        return;
    }
    let written: Vec<syn::Ident> = block.items.iter().filter_map(name_of).collect();
    let left = of_trait.items.iter().filter_map(|item| match item {
        syn::TraitItem::Fn(f) => Some(syn::ImplItem::Fn(syn::ImplItemFn {
            attrs: f.attrs.clone(),
            vis: syn::Visibility::Inherited,
            defaultness: None,
            sig: f.sig.clone(),
            block: f.default.clone()?,
        })),
        syn::TraitItem::Const(c) => {
            let (name, ty, (_, value)) = (&c.ident, &c.ty, c.default.as_ref()?);
            Some(parse_quote!(const #name: #ty = #value;))
        }
        _ => None,
    });
    let left = left.filter(|item| name_of(item).is_some_and(|name| !written.contains(&name)));
    block.items.extend(left);
}

/// The same for a block of another item than its trait. Its module declares or imports that, and methods are marked
/// `default`: nobody asked for their derivatives. Those that mean something else in the block's module stay away.
pub(crate) fn add_defaults_at(block: &mut syn::ItemImpl, at: Span) {
    if block.trait_.is_some()
        && let Some(place) = Place::around(at)
    {
        add_seen(block, &place);
    }
}

/// The block that an item is.
pub(super) fn block_of(found: &Found, place: &Place) -> Option<syn::ItemImpl> {
    let mut block = syn::parse_str(&found.text).ok()?;
    add_seen(&mut block, place);
    Some(block)
}

fn add_seen(block: &mut syn::ItemImpl, place: &Place) {
    let Some((_, path, _)) = &block.trait_ else {
        return;
    };
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let Some((name, module)) = names.split_last() else {
        return;
    };
    let module: Vec<&str> = module.iter().map(|name| &**name).collect();
    let Some((home, found)) = place.item(&module, name) else {
        return;
    };
    if found.what != What::Trait {
        return;
    }
    let Ok(of_trait) = syn::parse_str::<syn::ItemTrait>(&found.text) else {
        return;
    };
    let own = block.items.len();
    add_defaults(block, &of_trait);
    let (is_same, whole, mut k) = (home == *place, block.clone(), 0);
    block.items.retain_mut(|item| {
        k += 1;
        match item {
            syn::ImplItem::Fn(f) if k > own => {
                f.defaultness = Some(Default::default());
                is_same || is_portable(f, &whole)
            }
            _ => true,
        }
    });
}

fn name_of(item: &syn::ImplItem) -> Option<syn::Ident> {
    match item {
        syn::ImplItem::Fn(f) => Some(f.sig.ident.clone()),
        syn::ImplItem::Const(c) => Some(c.ident.clone()),
        _ => None,
    }
}
