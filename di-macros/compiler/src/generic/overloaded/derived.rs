//! Structs that functions of the module take or return, and engines differentiate: they derive `Differentiable`.

use super::known::Known;
use crate::derive::{self, Beside};
use crate::expand::cloned;
use crate::options::{self, Options};
use crate::sorted::Set;
use crate::template::parse_quote;
use crate::tokens;
use proc_macro2::{Ident, TokenTree};
use quote::ToTokens;

/// Derives the structs of parameters that are not marked and of results, if they and all structs in them can be derived.
pub(super) fn derive_signatures(items: &mut [syn::Item], known: &Known, options: &Options) {
    let free = known.free();
    let roots: Vec<Ident> = items.iter().flat_map(in_signature).collect();
    let cloned = cloned(items);
    let mut derived = Set::new();
    for root in roots {
        let mut names = Set::new();
        known.reach(root.into_token_stream(), &mut names);
        let names: Vec<String> = names.into_iter().filter(|n| !free.contains(n)).collect();
        let beside = Beside {
            derived: &names,
            cloned: &cloned,
        };
        let fits = |name: &String| {
            let found = items.iter().find_map(|item| match item {
                syn::Item::Struct(s) if s.ident == name => Some(s.clone()),
                _ => None,
            });
            found.is_some_and(|mut s| {
                let is_stored = |f: &syn::Field| {
                    !known.has_floats_within(&f.ty.to_token_stream(), &free)
                        || is_stored(&f.ty, known, &names)
                };
                let is_mixed = known.has_other_floats(&s.fields.to_token_stream());
                if is_mixed || !s.generics.params.is_empty() || !s.fields.iter().all(is_stored) {
                    return false;
                }
                mark(&mut s, known, &free);
                derive::fits(s.into(), beside)
            })
        };
        if !names.is_empty() && names.iter().all(fits) {
            derived.extend(names);
        }
    }
    let krate = options.krate();
    for item in items {
        if let syn::Item::Struct(s) = item
            && derived.contains(&s.ident.to_string())
            && !known.derived.contains(&s.ident.to_string())
        {
            mark(s, known, &free);
            s.attrs
                .push(parse_quote!(#[derive(#krate::Differentiable)]));
            if let Some(path) = &options.krate {
                s.attrs.push(parse_quote!(#[ad(crate = #path)]));
            }
        }
    }
}

/// The types of a function's parameters that have no mark, and those that its result names.
fn in_signature(item: &syn::Item) -> Vec<Ident> {
    let syn::Item::Fn(f) = item else {
        return Vec::new();
    };
    if matches!(f.vis, syn::Visibility::Inherited) {
        return Vec::new();
    }
    let types = f.sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(p) if !p.attrs.iter().any(options::is_mark) => match &*p.ty {
            syn::Type::Reference(r) if r.mutability.is_none() => Some(&*r.elem),
            ty => Some(ty),
        },
        _ => None,
    });
    let names = types.filter_map(|ty| match ty {
        syn::Type::Path(p) => p.path.get_ident().cloned(),
        _ => None,
    });
    let mut names: Vec<Ident> = names.collect();
    tokens::any(f.sig.output.to_token_stream(), &mut |t| {
        if let TokenTree::Ident(i) = t {
            names.push(i.clone());
        }
        false
    });
    names
}

/// Whether engines store a field as the copy can take it: numbers and structs, lists and options of them.
fn is_stored(ty: &syn::Type, known: &Known, derived: &[String]) -> bool {
    let is_value = |ty: &syn::Type| match ty {
        syn::Type::Path(p) => {
            known.is_scalar(&p.path) || derived.iter().any(|name| p.path.is_ident(name))
        }
        _ => false,
    };
    match ty {
        syn::Type::Array(a) => {
            let is_nested = matches!(&*a.elem, syn::Type::Array(_));
            is_value(&a.elem) || is_nested && is_stored(&a.elem, known, derived)
        }
        syn::Type::Path(p) => {
            let last = p.path.segments.last();
            let of = last.and_then(|last| match &last.arguments {
                syn::PathArguments::AngleBracketed(args) if last.ident == "Vec" => {
                    args.args.first()
                }
                syn::PathArguments::AngleBracketed(args) if last.ident == "Option" => {
                    args.args.first()
                }
                _ => None,
            });
            match of {
                Some(syn::GenericArgument::Type(of)) => is_value(of),
                _ => is_value(ty),
            }
        }
        _ => false,
    }
}

/// Marks the fields without floats.
fn mark(s: &mut syn::ItemStruct, known: &Known, free: &Set<String>) {
    for field in &mut s.fields {
        let is_marked = field.attrs.iter().any(options::is_mark);
        if !is_marked && !known.has_floats_within(&field.ty.to_token_stream(), free) {
            field.attrs.push(parse_quote!(#[constant]));
        }
    }
}
