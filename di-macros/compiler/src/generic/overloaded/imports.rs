//! Imports and paths of the copy, which lies one module deeper than what it copies.

use super::COPY;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// `#[overloaded] use super::geometry::Vec3;` imports from the copy of another overloaded module.
pub(super) fn is_of_copies(attr: &syn::Attribute) -> bool {
    let last = attr.path().segments.last();
    last.is_some_and(|s| s.ident == "overloaded")
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
        path.segments.insert(of_self, syn::parse_quote!(super));
    }
}
