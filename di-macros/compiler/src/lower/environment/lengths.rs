//! Structs with lengths, `Matrix<R, C>`: known by their names, whatever the lengths are.

use super::{Environment, spelled};
use crate::ir::Tokens;
use crate::tokens;
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::rc::Rc;

impl Environment {
    /// Notes the lengths of a struct, if it has some and nothing but these.
    pub(crate) fn add_lengths(&mut self, path: &str, generics: &syn::Generics) {
        let names: Vec<String> = names_of(generics);
        if !names.is_empty() && names.len() == generics.params.len() {
            self.lengths.insert(spelled(path), Rc::new(names));
        }
    }

    /// Notes that a struct is generic over types, if it is.
    pub(crate) fn add_open(&mut self, name: &Ident, generics: &syn::Generics) {
        if generics.type_params().next().is_some() {
            self.open.insert(name.to_string(), name.clone());
        }
    }

    /// Whether the struct with this name is generic over types.
    pub(crate) fn is_open(&self, name: &Ident) -> bool {
        self.open.contains_key(&name.to_string())
    }

    /// The structs that are generic over types.
    pub(crate) fn open_structs(&self) -> Vec<Ident> {
        self.open.values().cloned().collect()
    }

    /// How many lengths the struct with this path has.
    pub(crate) fn count_lengths(&self, path: &str) -> usize {
        self.lengths
            .get(&self.of(path))
            .map_or(0, |names| names.len())
    }

    /// The name by which a type is known, which may be borrowed: without its lengths.
    pub(crate) fn of(&self, path: &str) -> String {
        let path = spelled(path);
        // what belongs to a type, `Grid<W>::pairs`, is none
        let Some((of, _)) = path.split_once('<').filter(|_| path.ends_with('>')) else {
            return path;
        };
        let of = of.trim_end_matches("::");
        match self.lengths.contains_key(of.trim_start_matches("&'static")) {
            true => of.to_owned(),
            false => path,
        }
    }

    /// A type of the definition of a struct as it is in the one with this path; `None` if its lengths are not written.
    pub(super) fn with_lengths_of(&self, path: &str, ty: syn::Type) -> Option<syn::Type> {
        let Some(names) = self.lengths.get(&self.of(path)) else {
            return Some(ty);
        };
        let found = lengths_of(&path.parse().ok()?)?;
        let pairs = names.iter().cloned().zip(found);
        with_lengths(&ty, &pairs.collect::<Vec<_>>())
    }
}

/// The names of constant parameters.
pub(crate) fn names_of(generics: &syn::Generics) -> Vec<String> {
    generics
        .const_params()
        .map(|p| p.ident.to_string())
        .collect()
}

/// The lengths that are written in the path of a struct; `None` if there are none.
pub(crate) fn lengths_of(path: &TokenStream) -> Option<Vec<Tokens>> {
    let path: syn::TypePath = syn::parse2(path.clone()).ok()?;
    match &path.path.segments.last()?.arguments {
        syn::PathArguments::AngleBracketed(args) if path.qself.is_none() => {
            let is_length =
                |a: &&syn::GenericArgument| !matches!(a, syn::GenericArgument::Lifetime(_));
            let lengths = args.args.iter().filter(is_length);
            Some(lengths.map(|a| plain(a.to_token_stream())).collect())
        }
        _ => None,
    }
}

/// Whether a type, which may be borrowed, has lengths, as far as its path says: they are written, or it comes from a
/// call of which nothing is known.
pub(crate) fn may_have_lengths(path: &TokenStream) -> bool {
    let is_plain = |tree: &TokenTree| match tree {
        TokenTree::Punct(p) => matches!(p.as_char(), '&' | '\''),
        _ => false,
    };
    let behind = path.clone().into_iter().skip_while(is_plain);
    let behind = behind.skip_while(|tree| matches!(tree, TokenTree::Ident(i) if i == "static"));
    let behind: TokenStream = behind.collect();
    let text = behind.to_string();
    match text.starts_with('<') {
        true => text.contains(":: Instance") || !text.contains(":: Operator"),
        false => lengths_of(&behind).is_some_and(|found| !found.is_empty()),
    }
}

/// `N` of `{ N }`; a block with items stays one.
fn plain(length: TokenStream) -> Tokens {
    let trees: Vec<TokenTree> = length.clone().into_iter().collect();
    let is_item = |tree: TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ';');
    match trees.as_slice() {
        [TokenTree::Group(g)] if !g.stream().into_iter().any(is_item) => Tokens(g.stream()),
        _ => Tokens(length),
    }
}

/// A type with lengths in the place of their names.
pub(crate) fn with_lengths(ty: &syn::Type, lengths: &[(String, Tokens)]) -> Option<syn::Type> {
    let tokens = replaced(ty.to_token_stream(), &|name| {
        let found = lengths.iter().find(|(of, _)| of == name);
        found.map(|(_, length)| length.0.clone())
    });
    syn::parse2(tokens).ok()
}

/// The tokens with others in the place of names. What is more than one token is put in braces.
pub(crate) fn replaced(
    tokens: TokenStream,
    by: &dyn Fn(&str) -> Option<TokenStream>,
) -> TokenStream {
    let each = tokens.into_iter().map(|tree| match tree {
        TokenTree::Ident(name) => match by(&name.to_string()) {
            Some(found) if found.clone().into_iter().count() == 1 => found,
            Some(found) => {
                TokenTree::Group(Group::new(proc_macro2::Delimiter::Brace, found)).into()
            }
            None => TokenTree::Ident(name).into(),
        },
        TokenTree::Group(g) => tokens::regrouped(&g, replaced(g.stream(), by)).into(),
        other => other.into(),
    });
    each.collect()
}
