//! Aliases that the modules of a file import: `use linalg::Matrix;`. rustc verifies what is found.

use super::blocks::{is_of, known_elsewhere};
use super::data::fields;
use super::defaults::block_of;
use super::modules::Place;
use super::scan::{self, Found, Token, What};
use super::{DERIVED, collect, is_bundle, is_plain};
use crate::lower::environment::{Environment, replaced};
use crate::lower::types::INTEGERS;
use crate::sorted::Set;
use crate::template::parse_quote;
use crate::walk::{self, Node, Onward};
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::path::Path;
use std::sync::Arc;

/// Types of std that fields hold data in.
const OF_STD: [&str; 5] = ["Box", "Option", "Result", "String", "Vec"];

/// A name that a `use` brings, or `*`.
pub(super) struct Import<'t> {
    pub(super) name: &'t str,
    /// What it is called where it is declared.
    pub(super) original: &'t str,
    /// The path of the module that it is declared in.
    pub(super) module: Vec<&'t str>,
}

/// What the modules of a file import, as if they declared it. `all`: what they declare themselves.
pub(super) fn imported(file: &Path, all: &[Found]) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let uses = all.iter().filter(|f| f.what == What::Use);
    for (written, import) in uses.flat_map(types) {
        let place = Place::new(file, &written.module);
        let Some(place) = place.at(&import.module) else {
            continue;
        };
        let names = match import.name {
            "*" => {
                let aliases = place.items().into_iter().filter(|f| f.what == What::Alias);
                let names = aliases.map(|f| (f.name.clone(), f.name));
                let is_hidden = |name: &str| {
                    all.iter()
                        .any(|f| f.name == name && f.lines == written.lines)
                };
                names.filter(|(name, _)| !is_hidden(name)).collect()
            }
            name => vec![(name.to_owned(), import.original.to_owned())],
        };
        for (local, own) in names {
            if let Some((place, alias)) = place.item(&[], &own)
                && let Some(text) = written_out(&place, &alias, &local)
            {
                found.push(Found {
                    name: local,
                    text,
                    module: written.module.clone(),
                    lines: written.lines.clone(),
                    ..alias
                });
            }
        }
    }
    found
}

/// What an imported type is.
pub(crate) enum Type {
    Derived,
    /// One that borrows.
    Bundle,
    /// An enum, or a struct that is not derived, with its annotated blocks, without bodies.
    Plain {
        /// As far as it says itself; an enum is not asked.
        is_clone: bool,
        own: String,
        blocks: Vec<syn::ItemImpl>,
    },
    /// One of an annotated module with these items, by its name there.
    Of(Vec<syn::Item>, String),
}

/// The types that a module imports, by their names there, of those that are wanted. `uses`: its imports.
pub(super) fn declared(
    file: &Path,
    uses: &[Found],
    is_wanted: &dyn Fn(&str) -> bool,
) -> Vec<(String, Type)> {
    let all = items(file, uses, is_wanted).into_iter();
    all.filter_map(|(name, place, item)| Some((name, type_of(&place, &item)?)))
        .collect()
}

/// The types that items name by paths, each with its path.
pub(crate) fn types_elsewhere(items: &[syn::Item], at: Span) -> Vec<(String, Type)> {
    let Some(place) = Place::around(at) else {
        return Vec::new();
    };
    let (mut seen, mut found) = (Set::new(), Vec::new());
    let mut look = |node: Node<'_>| {
        if let Node::Type(syn::Type::Path(ty)) = node
            && let Some((last, module)) = names(&ty.path).split_last()
            && !module.is_empty()
        {
            let path = format!("{}::{last}", module.join("::"));
            let module: Vec<&str> = module.iter().map(String::as_str).collect();
            if seen.insert(path.clone())
                && let Some((of, item)) = place.item(&module, last)
            {
                found.extend(type_of(&of, &item).map(|ty| (path, ty)));
            }
        }
        false
    };
    for item in items {
        walk::any(Node::Item(item), &mut look);
    }
    found
}

/// The names of a path.
pub(super) fn names(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|s| s.ident.to_string()).collect()
}

/// The enums and the structs that are not derived among these types, under their names there, with the fields whose
/// types mean the same there. Of those that are not seen there as a whole this is an attribute.
pub(super) fn data(
    file: &Path,
    uses: &[Found],
    is_wanted: &dyn Fn(&str) -> bool,
) -> Vec<syn::Item> {
    let all = items(file, uses, is_wanted).into_iter();
    let all = all.filter(|(_, _, item)| matches!(item.what, What::Enum | What::Plain));
    let parsed = all.filter_map(|(local, place, item)| {
        let mut found = syn::parse_str::<syn::Item>(&item.text).ok()?;
        fields(&found)?;
        let is_same = |name: &String| {
            let here = || items(file, uses, &|other| other == name).into_iter();
            let is_it = |(at, found): (Place, Found)| {
                here().any(|(_, place, item)| place == at && item.name == found.name)
            };
            *name == item.name
                || OF_STD.contains(&&**name)
                || place.item(&[], name).is_some_and(is_it)
        };
        let is_clear = |ty: TokenStream| {
            let mut words = Set::default();
            collect(ty, &mut words);
            let mut types = words.iter().filter(|w| w.starts_with(char::is_uppercase));
            types.all(is_same)
        };
        let is_seen = |f: &syn::Field| matches!(f.vis, syn::Visibility::Public(_));
        let is_known = match &mut found {
            syn::Item::Struct(syn::ItemStruct {
                attrs,
                fields: syn::Fields::Named(named),
                ..
            }) => {
                let all = std::mem::take(&mut named.named);
                if !all
                    .iter()
                    .all(|f| is_seen(f) && is_clear(f.ty.to_token_stream()))
                {
                    attrs.push(parse_quote!(#[non_exhaustive]));
                }
                named.named = (all.into_iter())
                    .filter(|f| is_clear(f.ty.to_token_stream()))
                    .collect();
                true
            }
            syn::Item::Struct(s) => {
                if !s.fields.iter().all(is_seen) {
                    s.attrs.push(parse_quote!(#[non_exhaustive]));
                }
                is_clear(s.fields.to_token_stream())
            }
            syn::Item::Enum(e) => e
                .variants
                .iter()
                .all(|v| is_clear(v.fields.to_token_stream())),
            _ => false,
        };
        let renamed = replaced(found.to_token_stream(), &|name| {
            (name == item.name).then(|| local.parse().ok()).flatten()
        });
        is_known.then(|| syn::parse2(renamed).ok()).flatten()
    });
    parsed.collect()
}

/// The types that a module imports, by their names there, and where they are declared.
fn items(
    file: &Path,
    uses: &[Found],
    is_wanted: &dyn Fn(&str) -> bool,
) -> Vec<(String, Place, Found)> {
    let mut found = Vec::new();
    for (written, import) in uses.iter().flat_map(types) {
        let place = Place::new(file, &written.module);
        if import.name != "*" && !is_wanted(import.name) {
            continue;
        }
        if import.name != "*" {
            let item = place.item(&import.module, import.original);
            found.extend(item.map(|(place, item)| (import.name.to_owned(), place, item)));
        } else if let Some(place) = place.at(&import.module) {
            let wanted = place.items().into_iter();
            let wanted = wanted.filter(|item| is_wanted(&item.name));
            found.extend(wanted.map(|item| (item.name.clone(), place.clone(), item)));
        }
    }
    found
}

/// What stands beside the derived structs that a module imports, these too.
pub(super) fn beside(file: &Path, uses: &[Found]) -> Vec<syn::Item> {
    let (mut seen, mut found) = (Vec::new(), Vec::new());
    for (_, place, item) in items(file, uses, &|_| true) {
        let is_struct = matches!(item.what, What::Derived | What::Plain);
        if !is_struct || seen.contains(&place) {
            continue;
        }
        if let Some(annotated) = place.annotated() {
            found.extend(annotated);
        } else {
            let items = place.items();
            found.extend(items.iter().filter_map(|f| match f.what {
                What::Derived | What::Function => syn::parse_str::<syn::Item>(&f.text).ok(),
                What::Block => block_of(f, &place).map(syn::Item::Impl),
                _ => None,
            }));
        }
        seen.push(place);
    }
    found
}

fn type_of(place: &Place, item: &Found) -> Option<Type> {
    let name = || item.name.clone();
    match item.what {
        What::Derived => Some(Type::Derived),
        What::Struct if is_bundle(item) => Some(Type::Bundle),
        What::Struct if item.text.starts_with(DERIVED) => Some(Type::Derived),
        What::Plain | What::Struct | What::Enum => match place.annotated() {
            Some(items) => Some(Type::Of(items, name())),
            None if item.what == What::Struct => None,
            None => {
                let beside = place.items().into_iter().filter(|f| f.what == What::Block);
                let blocks = beside.filter_map(|f| block_of(&f, place));
                let own = blocks.filter(|block| is_of(block, &item.name));
                Some(Type::Plain {
                    is_clone: item.what == What::Enum || item.text.starts_with("#[derive(Clone)]"),
                    own: name(),
                    blocks: own.map(|block| known_elsewhere(block, false)).collect(),
                })
            }
        },
        _ => None,
    }
}

/// The alias by a name of elsewhere, where it names types that mean the same everywhere.
fn written_out(place: &Place, alias: &Found, local: &str) -> Option<Arc<str>> {
    let mut item = match alias.what {
        What::Alias => syn::parse_str::<syn::ItemType>(&alias.text).ok()?,
        _ => return None,
    };
    let mut env = Environment::default();
    for beside in place.items().iter().filter(|f| f.what == What::Alias) {
        if let Ok(beside) = syn::parse_str::<syn::ItemType>(&beside.text) {
            env.add_alias(&beside.ident.to_string(), beside);
        }
    }
    *item.ty = env.expanded(&item.ty);
    item.ident = syn::Ident::new(local, item.ident.span());
    item.vis = syn::Visibility::Inherited;
    item.attrs.clear();
    let is_clear = is_plain(&item.ty) && speaks_for_itself(&item);
    is_clear.then(|| item.to_token_stream().to_string().into())
}

/// Whether all names in the type of an alias mean the same everywhere.
fn speaks_for_itself(item: &syn::ItemType) -> bool {
    says_all(Node::Type(&item.ty), &item.generics)
}

/// Whether all names of types mean the same everywhere, but for parameters.
pub(super) fn says_all(root: Node<'_>, generics: &syn::Generics) -> bool {
    const KNOWN: [&str; 7] = ["Box", "Option", "Result", "Vec", "bool", "f32", "f64"];
    let parameters: Vec<&syn::Ident> = generics.params.iter().filter_map(name_of).collect();
    let is_strange = |path: &syn::Path| match path.segments.last() {
        Some(last) if path.segments.len() == 1 => {
            let name = last.ident.to_string();
            !(KNOWN.contains(&&*name)
                || INTEGERS.contains(&&*name)
                || parameters.iter().any(|p| **p == last.ident))
        }
        _ => true,
    };
    !walk::read(root, &mut |node| match node {
        Node::Path(path) if is_strange(path) => Onward::Found,
        _ => Onward::Into,
    })
}

/// Nothing for a lifetime.
pub(super) fn name_of(parameter: &syn::GenericParam) -> Option<&syn::Ident> {
    match parameter {
        syn::GenericParam::Type(p) => Some(&p.ident),
        syn::GenericParam::Const(p) => Some(&p.ident),
        syn::GenericParam::Lifetime(_) => None,
    }
}

impl Import<'_> {
    /// Whether it leads to std, where nothing is looked for.
    pub(super) fn is_of_std(&self) -> bool {
        let first = self.module.first();
        first.is_some_and(|first| matches!(*first, "alloc" | "core" | "std"))
    }
}

/// The imports of a `use` item that may be types of a user.
fn types(written: &Found) -> impl Iterator<Item = (&Found, Import<'_>)> {
    let all = of(&written.text)
        .into_iter()
        .map(move |import| (written, import));
    let all = all.filter(|(_, i)| !i.is_of_std());
    all.filter(|(_, i)| i.name == "*" || i.original.starts_with(char::is_uppercase))
}

/// What a `use` item brings.
pub(super) fn of(text: &str) -> Vec<Import<'_>> {
    let (mut found, mut tokens) = (Vec::new(), scan::tokens(text).into_iter());
    tokens.by_ref().find(|token| token.word == "use");
    let tree: Vec<&str> = tokens
        .map(|t: Token<'_>| t.word)
        .take_while(|word| *word != ";")
        .collect();
    leaves(&tree, &[], &mut found);
    found
}

/// Whether a `use` item brings all of the module around its own.
pub(super) fn is_super(text: &str) -> bool {
    let mut all = of(text).into_iter();
    all.any(|import| import.name == "*" && import.module == ["super"])
}

/// What a tree brings from a module: `a::b`, `a::{b, c as d}`, `a::*`.
fn leaves<'t>(tree: &[&'t str], module: &[&'t str], found: &mut Vec<Import<'t>>) {
    match tree {
        ["{", inner @ .., "}"] => {
            let mut depth = 0;
            let parts = inner.split(|word| {
                match *word {
                    "{" => depth += 1,
                    "}" => depth -= 1,
                    _ => {}
                }
                depth == 0 && *word == ","
            });
            parts.for_each(|part| leaves(part, module, found));
        }
        [name, ":", ":", rest @ ..] => leaves(rest, &[module, &[*name]].concat(), found),
        [":", ":", rest @ ..] => leaves(rest, module, found),
        // the module itself
        ["self"] => {
            if let [outer @ .., name] = module {
                found.push(Import {
                    name,
                    original: name,
                    module: outer.to_vec(),
                });
            }
        }
        [original, "as", name] => found.push(Import {
            name,
            original,
            module: module.to_vec(),
        }),
        [name] => found.push(Import {
            name,
            original: name,
            module: module.to_vec(),
        }),
        _ => {}
    }
}
