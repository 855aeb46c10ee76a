//! Hygiene: names that `macro_rules!` keeps apart although they are spelled alike. Names are
//! resolved by their spelling here, so a function in which that would matter is refused.

use crate::error;
use crate::report::Report;
use crate::sorted::{Map, Set};
use crate::walk::{self, Node};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Notes an error for each local whose spelling occurs in two syntax contexts.
pub(crate) fn check_hygiene(function: &syn::ItemFn, cx: &Report) {
    let mut contexts: Map<String, Set<String>> = Map::new();
    let mut tokens = function.block.to_token_stream();
    tokens.extend(function.sig.inputs.to_token_stream());
    collect(tokens, &mut contexts);
    for name in walk::bound(Node::Function(function)) {
        // each spelling once
        if contexts
            .remove(&name.to_string())
            .is_some_and(|c| c.len() > 1)
        {
            cx.error_about(name.span(), &error::HYGIENE, &name);
        }
    }
}

fn collect(tokens: TokenStream, contexts: &mut Map<String, Set<String>>) {
    let mut is_attribute = false;
    for tree in tokens {
        let is_sign = matches!(&tree, TokenTree::Punct(p) if p.as_char() == '#');
        match tree {
            TokenTree::Ident(ident) => {
                contexts
                    .get_or_default(ident.to_string())
                    .insert(context(ident.span()));
            }
            // a mark of ours is no name
            TokenTree::Group(_) if is_attribute => {}
            TokenTree::Group(group) => collect(group.stream(), contexts),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
        is_attribute = is_sign;
    }
}

/// The syntax context of a span. rustc shows it in the debug form alone: `#5 bytes(10..12)`.
/// Outside rustc there is one context.
fn context(span: Span) -> String {
    let shown = format!("{span:?}");
    match shown.split_once(' ') {
        Some((context, _)) if context.starts_with('#') => context.to_owned(),
        _ => String::new(),
    }
}
