//! Aliases that a file imports: `use linalg::Matrix;`. They are looked for in the module of that path, inline or in a
//! file. rustc verifies what is found.

use super::scan::{self, Found, Token, What};
use super::{is_plain, text_of};
use crate::lower::environment::Environment;
use crate::lower::types::INTEGERS;
use crate::walk::{self, Node, Onward};
use quote::ToTokens;
use std::path::{Path, PathBuf};

/// A name that a `use` brings, or `*`.
struct Import<'t> {
    name: &'t str,
    /// What it is called where it is declared.
    original: &'t str,
    /// The path of the module that it is declared in.
    module: Vec<&'t str>,
}

/// What a file with this text imports, by the names there. `all`: what it declares itself.
pub(super) fn imported(file: &Path, text: &str, all: &[Found]) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for import in unambiguous(text) {
        let declared = import.declared(file, all);
        let mut env = Environment::default();
        let aliases = || declared.iter().filter(|f| f.what == What::Alias);
        let items = aliases().filter_map(|f| syn::parse_str(&f.text).ok());
        let items: Vec<syn::ItemType> = items.collect();
        for item in &items {
            env.add_alias(&item.ident.to_string(), item.clone());
        }
        for mut item in items {
            let name = item.ident.to_string();
            let (own, local) = match import.name {
                "*" => (&*name, &*name),
                local => (import.original, local),
            };
            if name != own {
                continue;
            }
            *item.ty = env.expanded(&item.ty);
            if is_plain(&item.ty) && speaks_for_itself(&item) {
                let declared = aliases().find(|f| f.name == own);
                item.ident = syn::Ident::new(local, item.ident.span());
                item.vis = syn::Visibility::Inherited;
                item.attrs.clear();
                let text = item.to_token_stream().to_string();
                found.extend(declared.map(|f| Found {
                    name: local.to_owned(),
                    text,
                    ..f.imported()
                }));
            }
        }
    }
    // modules of the file may mean different ones
    let means_others = |f: &Found| (found.iter()).any(|g| g.name == f.name && g.text != f.text);
    found.iter().filter(|f| !means_others(f)).cloned().collect()
}

/// The imports of a text whose names mean one thing in all of its modules.
fn unambiguous(text: &str) -> Vec<Import<'_>> {
    let all = imports(text);
    let is_other = |a: &Import<'_>, b: &Import<'_>| {
        a.name == b.name && a.name != "*" && (a.original != b.original || a.module != b.module)
    };
    let is_clear: Vec<bool> = all
        .iter()
        .map(|a| !all.iter().any(|b| is_other(a, b)))
        .collect();
    let clear = all.into_iter().zip(is_clear);
    clear
        .filter_map(|(import, is)| is.then_some(import))
        .collect()
}

impl Import<'_> {
    /// What its module declares: one of the file, or in a file.
    fn declared(&self, file: &Path, all: &[Found]) -> Vec<Found> {
        let Some(last) = self.module.last() else {
            return Vec::new();
        };
        let inline = all.iter().filter(|f| f.module == *last);
        let inline: Vec<&Found> = inline.filter(|f| f.what == What::Alias).collect();
        match inline.first() {
            // there may be several modules of the name
            Some(first) if inline.iter().any(|f| f.lines != first.lines) => Vec::new(),
            Some(_) => inline.into_iter().cloned().collect(),
            None => in_files(file, &self.module),
        }
    }
}

/// Whether a segment says where a path begins.
fn is_anchor(segment: &str) -> bool {
    matches!(segment, "crate" | "self" | "super")
}

/// Whether all names in the type of an alias mean the same everywhere.
fn speaks_for_itself(item: &syn::ItemType) -> bool {
    const KNOWN: [&str; 7] = ["Box", "Option", "Result", "Vec", "bool", "f32", "f64"];
    let parameters: Vec<&syn::Ident> = item.generics.params.iter().filter_map(name_of).collect();
    let is_strange = |path: &syn::Path| match path.segments.last() {
        Some(last) if path.segments.len() == 1 => {
            let name = last.ident.to_string();
            !(KNOWN.contains(&&*name)
                || INTEGERS.contains(&&*name)
                || parameters.iter().any(|p| **p == last.ident))
        }
        _ => true,
    };
    !walk::read(Node::Type(&item.ty), &mut |node| match node {
        Node::Path(path) if is_strange(path) => Onward::Found,
        _ => Onward::Into,
    })
}

fn name_of(parameter: &syn::GenericParam) -> Option<&syn::Ident> {
    match parameter {
        syn::GenericParam::Type(p) => Some(&p.ident),
        syn::GenericParam::Const(p) => Some(&p.ident),
        syn::GenericParam::Lifetime(_) => None,
    }
}

/// What the module with this path declares, in a file next to this one, above or below it.
fn in_files(file: &Path, module: &[&str]) -> Vec<Found> {
    let relative = module.iter().filter(|name| !is_anchor(name));
    let relative: PathBuf = relative.collect();
    if relative.as_os_str().is_empty() {
        return Vec::new();
    }
    let mut folders: Vec<PathBuf> = Vec::new();
    if let (Some(folder), Some(stem)) = (file.parent(), file.file_stem()) {
        folders.push(folder.to_owned());
        folders.push(folder.join(stem));
        // up to the root of the crate
        folders.extend(folder.ancestors().skip(1).take(8).map(Path::to_owned));
    }
    let candidates = folders.iter().flat_map(|folder| {
        let module = folder.join(&relative);
        [module.with_extension("rs"), module.join("mod.rs")]
    });
    let mut texts = candidates
        .filter(|path| path != file)
        .filter_map(|path| text_of(&path));
    let of_file = |text: String| {
        let mut found = scan::items(&text);
        found.retain(|f| f.what == What::Alias && f.module.is_empty());
        found
    };
    texts.next().map(of_file).unwrap_or_default()
}

/// The names that a `use` item brings.
pub(super) fn names(text: &str) -> Vec<String> {
    let all = imports(text).into_iter();
    all.filter(|import| import.name != "*")
        .map(|import| import.name.to_owned())
        .collect()
}

/// What the `use` items of a text bring.
fn imports(text: &str) -> Vec<Import<'_>> {
    let (mut found, mut tokens) = (Vec::new(), scan::tokens(text).into_iter());
    while let Some(token) = tokens.next() {
        if token.word == "use" {
            let tree: Vec<&str> = tokens
                .by_ref()
                .map(|t: Token<'_>| t.word)
                .take_while(|word| *word != ";")
                .collect();
            leaves(&tree, &[], &mut found);
        }
    }
    found
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
