//! Imports and paths of the copy, which lies one module deeper than what it copies.

use super::COPY;
use crate::options;
use crate::sorted::{Map, Set};
use crate::symbol;
use crate::template::{parse_quote, quote};
use crate::walk::{self, Node, Onward};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident};

/// `#[overloaded] use super::geometry::Vec3;` imports from the copy of another overloaded module.
pub(super) fn is_of_copies(attr: &syn::Attribute) -> bool {
    options::is_named(attr, &["overloaded"])
}

/// The imports of a tree, one by one, as the copy writes them.
pub(super) fn split(
    item: &syn::ItemUse,
    depth: usize,
    (rt, float): (&TokenStream, &Ident),
) -> TokenStream {
    let of_copies = item.attrs.iter().any(is_of_copies);
    let attrs = item.attrs.iter().filter(|a| !is_of_copies(a));
    let attrs: TokenStream = attrs.map(ToTokens::to_token_stream).collect();
    let (vis, colon) = (&item.vis, &item.leading_colon);
    let mut all = TokenStream::new();
    leaves(&item.tree, &mut Vec::new(), &mut |path, end| {
        let path = if colon.is_some() {
            path.to_vec()
        } else {
            deeper(path, depth)
        };
        let name = end.clone().into_iter().last().map(|t| t.to_string());
        if name.is_some_and(|name| float == &name) {
            // in the copy the name is that of the active type
            return;
        }
        let head = match floats_of_std(&path, float) {
            Some(rest) => quote!(#rt::overloaded::#(#rest::)*),
            None => {
                let copy = of_copies.then(|| format_ident!("{COPY}"));
                let copy = copy.into_iter();
                quote!(#colon #(#path::)* #(#copy::)*)
            }
        };
        all.extend(quote!(#attrs #vis use #head #end;));
    });
    all
}

/// What the code imports of std's modules of floats, which rustc needs as they are where it computes constants.
pub(super) struct Imports {
    /// Behind `std`, by the names that the code gives them.
    named: Map<String, Vec<Ident>>,
    /// All names that are imported.
    others: Set<String>,
    /// `use std::f64::consts::*`, and no other of its kind.
    all: Option<Vec<Ident>>,
}

impl Imports {
    pub(super) fn of(items: &[syn::Item], float: &Ident) -> Imports {
        let (mut named, mut others) = (Map::<String, Vec<Ident>>::new(), Set::new());
        let (mut all, mut is_mixed) = (None, false);
        let mut one = |path: &[Ident], end: TokenStream| {
            let std = floats_of_std(path, float).map(<[_]>::to_vec);
            let ends: Vec<_> = end.into_iter().collect();
            match (&ends[..], std) {
                ([proc_macro2::TokenTree::Punct(_)], std) => {
                    is_mixed |= std.is_none() || all.is_some();
                    all = std;
                }
                (
                    [
                        proc_macro2::TokenTree::Ident(of),
                        ..,
                        proc_macro2::TokenTree::Ident(name),
                    ],
                    Some(std),
                )
                | ([proc_macro2::TokenTree::Ident(of @ name)], Some(std)) => {
                    let (name, mut path) = (name.to_string(), std);
                    path.push(of.clone());
                    if named.get(&name).is_some_and(|before| *before != path) {
                        others.insert(name.clone());
                    }
                    named.insert(name, path);
                }
                ([.., last], None) => {
                    others.insert(last.to_string());
                }
                _ => {}
            }
        };
        for item in items {
            walk::read(Node::Item(item), &mut |node| {
                if let Node::Item(syn::Item::Use(u)) = node {
                    leaves(&u.tree, &mut Vec::new(), &mut one);
                }
                Onward::Into
            });
        }
        let all = all.filter(|_| !is_mixed);
        Imports { named, others, all }
    }

    /// Where std has what a name stands for, if that is certain.
    pub(super) fn of_std(&self, name: &str) -> Option<Vec<Ident>> {
        if self.others.contains(name) {
            return None;
        }
        let in_all = || {
            let mut path = self
                .all
                .clone()
                .filter(|_| symbol::is_float_constant(name))?;
            path.push(format_ident!("{name}"));
            Some(path)
        };
        self.named.get(name).cloned().or_else(in_all)
    }
}

/// What stands behind `std` in the path of a module of floats, `std::f64::consts`.
fn floats_of_std<'a>(path: &'a [Ident], float: &Ident) -> Option<&'a [Ident]> {
    let [first, rest @ ..] = path else {
        return None;
    };
    let is_std = first == "std" || first == "core";
    (is_std && rest.first()? == float).then_some(rest)
}

fn leaves(tree: &syn::UseTree, path: &mut Vec<Ident>, each: &mut dyn FnMut(&[Ident], TokenStream)) {
    match tree {
        syn::UseTree::Path(p) => {
            path.push(p.ident.clone());
            leaves(&p.tree, path, each);
            path.pop();
        }
        syn::UseTree::Group(g) => g.items.iter().for_each(|tree| leaves(tree, path, each)),
        syn::UseTree::Name(n) if n.ident == "self" => {
            if let Some((last, before)) = path.split_last() {
                each(before, last.to_token_stream());
            }
        }
        syn::UseTree::Rename(r) if r.ident == "self" => {
            let rename = &r.rename;
            if let Some((last, before)) = path.split_last() {
                each(before, quote!(#last as #rename));
            }
        }
        end => each(path, end.to_token_stream()),
    }
}

/// A path that leaves the copied module goes through one more.
fn deeper(path: &[Ident], depth: usize) -> Vec<Ident> {
    let up = path.iter().take_while(|i| *i == "super").count();
    let mut deeper = path.to_vec();
    if up > depth {
        deeper.insert(0, path[0].clone());
    }
    deeper
}

/// The same for a path in code, in which `self` may come first.
pub(super) fn deepen(path: &mut syn::Path, depth: usize) {
    let of_self = usize::from(path.segments.first().is_some_and(|s| s.ident == "self"));
    let behind = path.segments.iter().skip(of_self);
    let up = behind.take_while(|s| s.ident == "super").count();
    // `pub(super)` is of the copy
    if up > depth && path.segments.len() > up + of_self {
        path.segments.insert(of_self, parse_quote!(super));
    }
}
