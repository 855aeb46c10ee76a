//! Aliases of types that are declared or imported in the file of an item. An attribute sees its item alone, and an alias without
//! an attribute has no macro that could answer for it, so the file is read.

mod alias;
mod imports;
mod scan;

use super::environment::Environment;
use crate::answer::Same;
use crate::sorted::Set;
pub(crate) use alias::Alias;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use scan::Found;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

/// An item without the aliases of its file, and what they are according to the file. `None` if it names none.
///
/// `at` is a token of the item that the user wrote.
pub(crate) fn written_out(item: &syn::Item, at: Span) -> Option<(syn::Item, Vec<Same>)> {
    let mut words = Set::default();
    collect(item.to_token_stream(), &mut words);
    let declared = around(at, &words)?;
    let mut env = Environment::default();
    let mut checked = Vec::new();
    for alias in &declared {
        let Ok(of) = syn::parse_str::<syn::ItemType>(&alias.text) else {
            continue;
        };
        if !is_plain(&of.ty) {
            continue;
        }
        env.add_alias(&alias.name, of.clone());
        if words.contains(&alias.name) {
            let name = syn::Ident::new(&alias.name, at.resolved_at(Span::call_site()));
            let (params, arguments, _) = of.generics.split_for_impl();
            let mut alias = name.into_token_stream();
            arguments.to_tokens(&mut alias);
            checked.push(Same {
                params: params.into_token_stream(),
                alias,
                of: of.ty.into_token_stream(),
            });
        }
    }
    if checked.is_empty() {
        return None;
    }
    let mut item = item.clone();
    env.write_out(&mut item);
    Some((item, checked))
}

/// Identifiers.
fn collect(tokens: TokenStream, words: &mut Set<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                words.insert(ident.to_string());
            }
            TokenTree::Group(group) => collect(group.stream(), words),
            _ => {}
        }
    }
}

/// Whether a type says by itself what it is made of, but for the names of other types.
fn is_plain(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(r) => is_plain(&r.elem),
        syn::Type::Slice(s) => is_plain(&s.elem),
        syn::Type::Array(a) => is_plain(&a.elem),
        syn::Type::Tuple(t) => t.elems.iter().all(is_plain),
        syn::Type::Path(p) => p.qself.is_none() && p.path.segments.iter().all(is_plain_segment),
        _ => false,
    }
}

fn is_plain_segment(segment: &syn::PathSegment) -> bool {
    const OF_OTHERS: [&str; 4] = ["Box", "Option", "Result", "Vec"];
    match &segment.arguments {
        syn::PathArguments::None => true,
        syn::PathArguments::AngleBracketed(args) => {
            OF_OTHERS.iter().any(|name| segment.ident == name)
                && args
                    .args
                    .iter()
                    .all(|a| matches!(a, syn::GenericArgument::Type(ty) if is_plain(ty)))
        }
        syn::PathArguments::Parenthesized(_) => false,
    }
}

/// The aliases of a file.
struct Aliases {
    declared: Vec<Found>,
    imported: Vec<Found>,
}

/// What was read, and when the file was written.
type Read = (SystemTime, Arc<Aliases>);

/// What stands in the modules around a token, if any of these words is an alias there.
fn around(at: Span, words: &Set<String>) -> Option<Vec<Found>> {
    static FILES: LazyLock<Mutex<HashMap<PathBuf, Read>>> = LazyLock::new(Mutex::default);
    let file = at.local_file()?;
    let written = std::fs::metadata(&file).and_then(|m| m.modified()).ok()?;
    let all = {
        let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
        match files.get(&file) {
            Some((then, all)) if *then == written => all.clone(),
            _ => {
                let text = text_of(&file)?;
                let declared = scan::aliases(&text);
                let imported = imports::imported(&file, &text, &declared);
                let all = Arc::new(Aliases { declared, imported });
                files.insert(file, (written, all.clone()));
                all
            }
        }
    };
    let mut found = scan::seen_from(&all.declared, at.start().line);
    for alias in &all.imported {
        if words.contains(&alias.name) && found.iter().all(|f| f.name != alias.name) {
            found.push(alias.clone());
        }
    }
    found
        .iter()
        .any(|alias| words.contains(&alias.name))
        .then_some(found)
}

fn text_of(file: &Path) -> Option<String> {
    std::fs::read_to_string(file).ok()
}

/// What [`written_out`] finds in a text.
pub(crate) fn seen(text: &str, line: usize) -> Vec<(String, String)> {
    let seen = scan::seen_from(&scan::aliases(text), line);
    let parts = |a: Found| (a.name, a.text);
    seen.into_iter().map(parts).collect()
}
