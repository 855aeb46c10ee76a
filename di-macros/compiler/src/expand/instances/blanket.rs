//! Impl blocks for all types that have some traits: an instance for each type of the module that has them, and for floats.
//!
//! ```text
//! impl<T> Lerp for T                           impl Lerp for P ..
//! where T: Copy + Add<Output = T> ..      =>   impl Lerp for f64 ..
//! ```

use super::{lifetimes_of, substitute};
use crate::expand::structs::{derives, is_derived};
use crate::lower::{arguments, numeric, ungroup};
use crate::sorted::{Map, Set};
use crate::symbol::OPERATOR_TRAITS;
use crate::template::parse_quote;
use crate::walk::{self, NodeMut, Onward};
use quote::ToTokens;

/// Traits of std that numbers have, beside those of operators.
const OF_NUMBERS: [&str; 9] = [
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Display",
    "PartialEq",
    "PartialOrd",
    "Sum",
    "Sized",
];

/// Puts the instances behind the items of a module.
pub(in crate::expand) fn put_blanket(items: &mut Vec<syn::Item>) {
    let blocks = items.iter().filter_map(|item| match item {
        syn::Item::Impl(block) => Some((block, parameter(block)?)),
        _ => None,
    });
    let (traits, mut added) = (numeric::traits_among(items), Vec::new());
    for (block, name) in blocks {
        for ty in types_among(items) {
            let known: Map<String, syn::Type> = std::iter::once((name.clone(), ty)).collect();
            if !bounds_of(block, &known)
                .iter()
                .all(|(ty, of)| has(items, &traits, ty, of))
            {
                continue;
            }
            let mut instance = block.clone();
            let mark = |_: &_, body: &mut _| numeric::mark(&block.generics, &traits, body);
            numeric::in_bodies(&mut instance, mark);
            instance.generics = lifetimes_of(&instance.generics);
            instance.attrs.push(parse_quote!(#[ad(instance)]));
            let mut instance = syn::Item::Impl(instance);
            substitute(&known, &mut instance);
            numeric::put_in_bodies(&mut instance);
            added.push(instance);
        }
    }
    items.extend(added);
}

/// The parameter that a block of a trait is for.
pub(super) fn parameter(block: &syn::ItemImpl) -> Option<String> {
    let mut params = block.generics.type_params();
    let (only, None, Some(_)) = (params.next()?, params.next(), &block.trait_) else {
        return None;
    };
    matches!(ungroup(&block.self_ty), syn::Type::Path(p) if p.path.is_ident(&only.ident))
        .then(|| only.ident.to_string())
}

/// The types of a module without parameters, and the floats.
fn types_among(items: &[syn::Item]) -> Vec<syn::Type> {
    let own = items.iter().filter_map(|item| match item {
        syn::Item::Struct(syn::ItemStruct {
            ident, generics, ..
        })
        | syn::Item::Enum(syn::ItemEnum {
            ident, generics, ..
        }) => generics.params.is_empty().then(|| parse_quote!(#ident)),
        _ => None,
    });
    own.chain([parse_quote!(f64), parse_quote!(f32)]).collect()
}

/// What a block asks of which types.
fn bounds_of(block: &syn::ItemImpl, known: &Map<String, syn::Type>) -> Vec<(syn::Type, syn::Path)> {
    // an item whose types are substituted as those of the block are
    let own = block.generics.type_params().map(|p| {
        let (name, bounds) = (&p.ident, &p.bounds);
        parse_quote!(#name: #bounds)
    });
    let others = block
        .generics
        .where_clause
        .iter()
        .flat_map(|w| w.predicates.clone());
    let all: Vec<syn::WherePredicate> = own.chain(others).collect();
    let mut item = parse_quote!(fn bounds() where #(#all),* {});
    substitute(known, &mut item);
    let syn::Item::Fn(syn::ItemFn { sig, .. }) = item else {
        return Vec::new();
    };
    let predicates = sig
        .generics
        .where_clause
        .into_iter()
        .flat_map(|w| w.predicates);
    let found = predicates.filter_map(|p| match p {
        syn::WherePredicate::Type(p) => Some(p),
        _ => None,
    });
    let found = found.flat_map(|p| {
        let traits = p.bounds.into_iter().filter_map(|of| match of {
            syn::TypeParamBound::Trait(of)
                if matches!(of.modifier, syn::TraitBoundModifier::None) =>
            {
                Some(of.path)
            }
            _ => None,
        });
        traits
            .map(move |of| (p.bounded_ty.clone(), of))
            .collect::<Vec<_>>()
    });
    found.collect()
}

/// Whether a type has a trait, as far as the module and std say.
fn has(items: &[syn::Item], numeric: &Set<String>, ty: &syn::Type, of: &syn::Path) -> bool {
    let Some(name) = of.segments.last().map(|s| s.ident.to_string()) else {
        return false;
    };
    let wanted = (plain(ty), taken(of, ty));
    let is_number = matches!(&*wanted.0, "f64" | "f32");
    let is_std = OF_NUMBERS.contains(&&*name) || OPERATOR_TRAITS.iter().any(|of| of.0 == name);
    if is_number && wanted.1 == wanted.0 && (is_std || numeric.contains(&name)) {
        return true;
    }
    items.iter().any(|item| match item {
        syn::Item::Impl(block) if parameter(block).is_none() => {
            block.trait_.as_ref().is_some_and(|(_, path, _)| {
                path.segments.last().is_some_and(|s| s.ident == name)
                    && (plain(&block.self_ty), taken(path, &block.self_ty)) == wanted
            })
        }
        syn::Item::Struct(syn::ItemStruct { ident, attrs, .. })
        | syn::Item::Enum(syn::ItemEnum { ident, attrs, .. }) => {
            *ident == wanted.0 && (name == "Sized" || derives(attrs, &name) && !is_derived(attrs))
        }
        _ => false,
    })
}

/// What a trait is for beside the type: `Mul<f64>`; the type itself where nothing is written.
fn taken(of: &syn::Path, ty: &syn::Type) -> String {
    let args: Vec<String> = arguments(of).into_iter().map(plain).collect();
    match args.is_empty() {
        true => plain(ty),
        false => args.join(",").replace("Self", &plain(ty)),
    }
}

/// A type without lifetimes and spaces.
fn plain(ty: &syn::Type) -> String {
    let mut ty = ty.clone();
    walk::change(NodeMut::Type(&mut ty), &mut |node| {
        if let NodeMut::Type(syn::Type::Reference(r)) = node {
            r.lifetime = None;
        }
        Onward::Into
    });
    ty.to_token_stream().to_string().replace(' ', "")
}
