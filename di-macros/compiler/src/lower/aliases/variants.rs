//! Variants by their bare names, where a module imports them: `use Shape::*;`. Functions that name some import them
//! themselves, as the compiler sees them.

use super::scan::{Found, What};
use super::{collect, in_scope_of};
use crate::lower::environment::own_names;
use crate::sorted::Set;
use crate::template::parse_quote;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::{Ident, Span};
use quote::ToTokens;

/// Lets functions and methods of a module import the variants that they name.
pub(crate) fn name_variants(items: &mut [syn::Item]) {
    let all = items.iter().filter_map(|item| match item {
        syn::Item::Enum(of) => Some(of),
        _ => None,
    });
    let enums: Vec<syn::ItemEnum> = all.cloned().collect();
    let enums: Vec<&syn::ItemEnum> = enums.iter().collect();
    for item in items.iter_mut().filter(|item| has_body(item)) {
        name_within(item, &enums, None);
    }
    let mut brought = Vec::new();
    let mut imports = Vec::new();
    for (k, item) in items.iter().enumerate() {
        if let syn::Item::Use(item) = item {
            let before = brought.len();
            variants_of(&item.tree, &mut Vec::new(), &enums, &mut brought);
            imports.extend((brought.len() > before).then_some(k));
        }
    }
    // what is declared comes before what a `*` brings
    brought.retain(|(name, _)| !items.iter().any(|item| declares(item, name)));
    if brought.is_empty() {
        return;
    }
    for k in imports {
        if let syn::Item::Use(item) = &mut items[k] {
            // the functions may be all that needs it
            let unused = parse_quote!(#[allow(unused_imports)]);
            item.attrs.push(unused);
        }
    }
    for item in items {
        let mut words = Set::default();
        collect(item.to_token_stream(), &mut words);
        import(item, &brought, &words, None);
    }
}

/// The item with imports of the variants that it names and that its file brings where it stands, if there are some.
pub(super) fn with_names(
    item: &syn::Item,
    (all, at): (&[Found], Span),
    words: &mut Set<String>,
) -> Option<syn::Item> {
    let scope: Vec<_> = in_scope_of(all).collect();
    let here = |f: &&Found| scope.contains(&f.lines);
    let uses = all.iter().filter(here).filter(|f| f.what == What::Use);
    let mut uses = uses.filter(|f| leads_into_type(&f.text)).peekable();
    // nothing is parsed for most items
    if uses.peek().is_none() && !words.contains("use") {
        return None;
    }
    let enums = all.iter().filter(here).filter(|f| {
        let may_be = matches!(
            f.what,
            What::Enum | What::Plain | What::Derived | What::Struct
        );
        may_be && f.text.contains("enum ")
    });
    let enums = enums.filter_map(|f| syn::parse_str::<syn::ItemEnum>(&f.text).ok());
    let enums: Vec<syn::ItemEnum> = enums.collect();
    let enums: Vec<&syn::ItemEnum> = enums.iter().collect();
    let mut brought = Vec::new();
    for of in uses.filter_map(|f| syn::parse_str::<syn::ItemUse>(&f.text).ok()) {
        variants_of(&of.tree, &mut Vec::new(), &enums, &mut brought);
    }
    let mut item = item.clone();
    let is_named = name_within(&mut item, &enums, Some(at));
    if import(&mut item, &brought, words, Some(at)) || is_named {
        collect(item.to_token_stream(), words);
        return Some(item);
    }
    None
}

/// Whether a path in a text goes on behind the name of a type.
fn leads_into_type(text: &str) -> bool {
    text.match_indices("::").any(|(at, _)| {
        let before = text[..at].trim_end();
        let name = before
            .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
            .next();
        name.is_some_and(|name| name.starts_with(char::is_uppercase))
    })
}

/// Names the variants that `*` brings inside of an item, `use Shape::{Circle, Rect};`; whether it brings some.
fn name_within(item: &mut syn::Item, enums: &[&syn::ItemEnum], at: Option<Span>) -> bool {
    let mut found = false;
    if enums.is_empty() {
        return found;
    }
    walk::change(NodeMut::Item(item), &mut |node| {
        if let NodeMut::Item(syn::Item::Use(import)) = node
            && name_in(&mut import.tree, enums, at)
        {
            import.attrs.push(parse_quote!(#[allow(unused_imports)]));
            found = true;
        }
        Onward::Into
    });
    found
}

fn name_in(tree: &mut syn::UseTree, enums: &[&syn::ItemEnum], at: Option<Span>) -> bool {
    match tree {
        syn::UseTree::Path(p) => {
            let of = enums.iter().find(|of| of.ident == p.ident);
            match (&mut *p.tree, of) {
                (tree @ syn::UseTree::Glob(_), Some(of)) => {
                    let at = at.unwrap_or_else(|| p.ident.span());
                    let names = of.variants.iter();
                    let names = names.map(|v| Ident::new(&v.ident.to_string(), at));
                    *tree = parse_quote!({ #(#names),* });
                    true
                }
                (tree, _) => name_in(tree, enums, at),
            }
        }
        syn::UseTree::Group(g) => {
            let mut found = false;
            for tree in &mut g.items {
                found |= name_in(tree, enums, at);
            }
            found
        }
        _ => false,
    }
}

fn has_body(item: &syn::Item) -> bool {
    matches!(item, syn::Item::Fn(_) | syn::Item::Impl(_))
}

/// Names that a tree brings for variants, with their paths.
fn variants_of(
    tree: &syn::UseTree,
    before: &mut Vec<Ident>,
    enums: &[&syn::ItemEnum],
    found: &mut Vec<(String, Vec<Ident>)>,
) {
    let of = before.last();
    let of = of.and_then(|name| enums.iter().find(|of| of.ident == *name));
    let mut add = |name: &Ident, variant: &Ident| {
        let mut path = before.clone();
        path.push(variant.clone());
        found.push((name.to_string(), path));
    };
    match (tree, of) {
        (syn::UseTree::Name(n), Some(_)) if n.ident != "self" => add(&n.ident, &n.ident),
        (syn::UseTree::Rename(r), Some(_)) if r.ident != "self" => add(&r.rename, &r.ident),
        (syn::UseTree::Glob(_), Some(of)) => {
            let all = of.variants.iter();
            all.for_each(|v| add(&v.ident, &v.ident));
        }
        (syn::UseTree::Group(g), _) => {
            for tree in &g.items {
                variants_of(tree, before, enums, found);
            }
        }
        (syn::UseTree::Path(p), _) => {
            before.push(p.ident.clone());
            variants_of(&p.tree, before, enums, found);
            before.pop();
        }
        _ => {}
    }
}

/// Puts imports of variants in front of the bodies in an item; whether it names some.
fn import(
    item: &mut syn::Item,
    brought: &[(String, Vec<Ident>)],
    words: &Set<String>,
    at: Option<Span>,
) -> bool {
    let own = own_names(Node::Item(item));
    let named = brought
        .iter()
        .filter(|(name, _)| words.contains(name) && !own.contains(name));
    let uses = named.map(|(name, path)| {
        let mut path = path.clone();
        if let Some(at) = at {
            path.iter_mut().for_each(|part| part.set_span(at));
        }
        let span = path.last().map_or_else(Span::call_site, Ident::span);
        let name = Ident::new(name, span);
        parse_quote!(#[allow(unused_imports)] use #(#path)::* as #name;)
    });
    let uses: Vec<syn::Stmt> = uses.collect();
    let put = |block: &mut syn::Block| {
        block.stmts.splice(0..0, uses.iter().cloned());
    };
    match item {
        syn::Item::Fn(f) => put(&mut f.block),
        syn::Item::Impl(of) => {
            for inner in &mut of.items {
                if let syn::ImplItem::Fn(f) = inner {
                    put(&mut f.block);
                }
            }
        }
        _ => return false,
    }
    !uses.is_empty()
}

fn declares(item: &syn::Item, name: &str) -> bool {
    let declared = match item {
        syn::Item::Const(of) => &of.ident,
        syn::Item::Enum(of) => &of.ident,
        syn::Item::Fn(of) => &of.sig.ident,
        syn::Item::Static(of) => &of.ident,
        syn::Item::Struct(of) => &of.ident,
        syn::Item::Type(of) => &of.ident,
        _ => return false,
    };
    declared == name
}
