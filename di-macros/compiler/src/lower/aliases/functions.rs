//! Functions without an attribute that stand in other modules: `use super::bump;`, `crate::rng::next(&mut seed)`. They
//! cannot be asked what they change, so the files of their modules are read. And those of std, by the names that modules
//! import.

use super::imports::{self, names, says_all};
use super::modules::Place;
use super::scan::What;
use super::{own_names, passive_function, uses_at};
use crate::sorted::Set;
use crate::template::parse_quote;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::{Ident, Span};
use quote::ToTokens;

/// The signatures of those that an item calls, each with the path that it writes.
pub(crate) fn functions_elsewhere(item: &syn::Item, at: Span) -> Vec<syn::Item> {
    let mut paths = Vec::new();
    walk::any(Node::Item(item), &mut |node| {
        if let Node::Expr(syn::Expr::Call(c)) = node
            && let syn::Expr::Path(f) = &*c.func
            && f.qself.is_none()
            && f.path.leading_colon.is_none()
        {
            paths.push(f.path.clone());
        }
        false
    });
    let (mut seen, place) = (Set::new(), Place::around(at));
    paths.retain(|path| seen.insert(path.to_token_stream().to_string()));
    let found = place.iter().flat_map(|place| {
        let paths = paths.iter();
        paths.filter_map(|path| signature(place, path))
    });
    found.collect()
}

// use std::iter::zip;
// zip(a, b)   =>   ::std::iter::zip(a, b)
/// The body of a function with the paths of what it calls of std; `None` if its module imports none of that.
pub(crate) fn with_paths_of_std(function: &syn::ItemFn) -> Option<syn::Block> {
    let is_bare = |e: &syn::Expr| match e {
        syn::Expr::Path(p) if p.qself.is_none() => p.path.segments.len() == 1,
        _ => false,
    };
    let is_call =
        |node: Node<'_>| matches!(node, Node::Expr(syn::Expr::Call(c)) if is_bare(&c.func));
    if !walk::any(Node::Block(&function.block), &mut |node| is_call(node)) {
        return None;
    }
    let uses = uses_at(function.sig.ident.span());
    let imports = uses.iter().flat_map(|f| imports::of(&f.text));
    let mut own = own_names(Node::Function(function));
    let bound = walk::bound(Node::Function(function));
    own.extend(bound.iter().map(ToString::to_string));
    let is_wanted = |import: &imports::Import<'_>| {
        import.is_of_std()
            && import.name.starts_with(char::is_lowercase)
            && !own.iter().any(|name| name == import.name)
    };
    let imports: Vec<_> = imports.filter(is_wanted).collect();
    let (mut block, mut is_found) = ((*function.block).clone(), false);
    walk::change(NodeMut::Block(&mut block), &mut |node| {
        if let NodeMut::Expr(syn::Expr::Call(c)) = node
            && let syn::Expr::Path(f) = &mut *c.func
            && f.qself.is_none()
            && f.path.segments.len() == 1
            && let Some(import) = imports.iter().find(|i| f.path.segments[0].ident == i.name)
        {
            let names = import.module.iter().chain([&import.original]);
            let names = names.map(|name| Ident::new(name, f.path.segments[0].ident.span()));
            let arguments = f.path.segments[0].arguments.clone();
            f.path = parse_quote!(#(::#names)*);
            if let Some(last) = f.path.segments.last_mut() {
                last.arguments = arguments;
            }
            is_found = true;
        }
        Onward::Into
    });
    is_found.then_some(block)
}

fn signature(place: &Place, path: &syn::Path) -> Option<syn::Item> {
    let names = names(path);
    let (name, module) = names.split_last()?;
    let module: Vec<&str> = module.iter().map(String::as_str).collect();
    let (of, found) = place.item(&module, name)?;
    let is_beside = of == *place && module.is_empty();
    let is_once = of.items().iter().filter(|f| f.name == found.name).count() == 1;
    let is_plain = found.what == What::PlainFunction && is_once && !of.is_annotated();
    if is_beside || !is_plain {
        return None;
    }
    let syn::Item::Fn(mut function) = passive_function(&found.text)? else {
        return None;
    };
    if !says_all(Node::Signature(&function.sig), &function.sig.generics) {
        return None;
    }
    let written = path.to_token_stream().to_string();
    function.attrs.push(parse_quote!(#[path = #written]));
    Some(syn::Item::Fn(function))
}
