//! Functions without an attribute that stand in other modules: `use super::bump;`, `crate::rng::next(&mut seed)`. They
//! cannot be asked what they change, so the files of their modules are read.

use super::imports::{names, says_all};
use super::modules::Place;
use super::passive_function;
use super::scan::What;
use crate::sorted::Set;
use crate::walk::{self, Node};
use proc_macro2::Span;
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

fn signature(place: &Place, path: &syn::Path) -> Option<syn::Item> {
    let names = names(path);
    let (name, module) = names.split_last()?;
    let module: Vec<&str> = module.iter().map(String::as_str).collect();
    let (of, found) = place.item(&module, name)?;
    let is_beside = of == *place && module.is_empty();
    let is_once = of.items().iter().filter(|f| f.name == found.name).count() == 1;
    let is_plain = found.what == What::PlainFunction && is_once && !of.is_annotated();
    let syn::Item::Fn(mut function) = passive_function(&found.text)? else {
        return None;
    };
    if is_beside || !is_plain || !says_all(Node::Signature(&function.sig), &function.sig.generics) {
        return None;
    }
    let written = path.to_token_stream().to_string();
    function.attrs.push(syn::parse_quote!(#[path = #written]));
    Some(syn::Item::Fn(function))
}
