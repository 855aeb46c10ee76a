//! Structs by other names, which are told of once where the name does not exist.

use super::instance::Generics;
use super::sound::{each_call, each_struct, is_method};
use crate::ir::{Body, Tokens};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::BTreeMap;

/// The body with structs by other names, and these names: `type __f_P = P;`.
///
/// Of a type that is not there rustc has more to say where it is an argument of another type: it would
/// tell of it twice. `attributes`: of the items. `is_argument`: of those that stand in lists of arguments, as of
/// `Vec`, it has more to say too.
pub(crate) fn rename_structs(
    body: &Body,
    function: &Ident,
    generics: &Generics,
    attributes: &TokenStream,
    is_argument: &dyn Fn(&Ident) -> bool,
    rt: &TokenStream,
) -> (Body, TokenStream) {
    let mut renamed = body.clone();
    let mut names: BTreeMap<String, (Ident, Ident)> = BTreeMap::new();
    let none = generics.empty_list(function);
    let function = function.to_string();
    let function = function.trim_start_matches("r#");
    let mut rename = |name: &Ident| {
        let plain = name.to_string();
        let other = format!("__{function}_{}", plain.trim_start_matches("r#"));
        let other = Ident::new(&other, name.span());
        names.entry(plain).or_insert((other.clone(), name.clone()));
        other
    };
    each_struct(&mut renamed, &mut |path| {
        *path = Tokens(rename_in(path.0.clone(), &mut rename));
    });
    // what operators and methods are reached by, and what these give
    let mut within = |path: &mut Tokens| *path = Tokens(rename_within(path.0.clone(), &names));
    each_struct(&mut renamed, &mut within);
    each_call(&mut renamed.region, &mut |call| {
        if is_method(call) {
            within(&mut call.callee);
        }
    });
    let quiet = crate::options::quiet();
    let items = names.into_values().map(|(other, name)| {
        let path = match is_argument(&name) {
            true => quote!(#rt::Itself<#name>),
            false => name.into_token_stream(),
        };
        quote!(#attributes #quiet type #other #none = #path;)
    });
    (renamed, items.collect())
}

/// Renames `P` alone, and in `<P as Trait>::Name`.
fn rename_in(path: TokenStream, rename: &mut impl FnMut(&Ident) -> Ident) -> TokenStream {
    let mut trees: Vec<TokenTree> = path.into_iter().collect();
    let at = match &trees[..] {
        [TokenTree::Ident(_)] => 0,
        [
            TokenTree::Punct(_),
            TokenTree::Ident(_),
            TokenTree::Ident(by),
            ..,
        ] if by == "as" => 1,
        _ => return trees.into_iter().collect(),
    };
    if let TokenTree::Ident(name) = &trees[at] {
        trees[at] = TokenTree::Ident(rename(name));
    }
    trees.into_iter().collect()
}

/// Renames what stands by itself anywhere in a path: no segment of a longer one.
fn rename_within(path: TokenStream, names: &BTreeMap<String, (Ident, Ident)>) -> TokenStream {
    let is_colon =
        |t: Option<&TokenTree>| matches!(t, Some(TokenTree::Punct(p)) if p.as_char() == ':');
    let mut renamed = TokenStream::new();
    let mut trees = path.into_iter().peekable();
    let mut behind_colon = false;
    while let Some(tree) = trees.next() {
        let stands_alone = !behind_colon && !is_colon(trees.peek());
        behind_colon = is_colon(Some(&tree));
        renamed.extend([match tree {
            TokenTree::Group(group) => {
                let inner = rename_within(group.stream(), names);
                let mut inner = proc_macro2::Group::new(group.delimiter(), inner);
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            TokenTree::Ident(name) => match names.get(&name.to_string()) {
                Some((other, _)) if stands_alone => {
                    TokenTree::Ident(Ident::new(&other.to_string(), name.span()))
                }
                _ => TokenTree::Ident(name),
            },
            tree @ (TokenTree::Punct(_) | TokenTree::Literal(_)) => tree,
        }]);
    }
    renamed
}
