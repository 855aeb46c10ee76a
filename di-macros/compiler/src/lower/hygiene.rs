//! Hygiene: names that `macro_rules!` keeps apart although they are spelled alike. Names are
//! resolved by their spelling here, so a function in which that would matter is refused.

use crate::error;
use crate::report::Report;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::Visit;

/// Notes an error for each local whose spelling occurs in two syntax contexts.
pub(crate) fn check_hygiene(function: &syn::ItemFn, cx: &Report) {
    let mut bound = Bound::default();
    bound.visit_item_fn(function);
    let mut contexts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut tokens = function.block.to_token_stream();
    tokens.extend(function.sig.inputs.to_token_stream());
    collect(tokens, &mut contexts);
    for name in bound.0 {
        if contexts.get(&name.to_string()).is_some_and(|c| c.len() > 1) {
            cx.error_about(name.span(), &error::HYGIENE, &name);
        }
    }
}

/// Names that patterns bind, each spelling once.
#[derive(Default)]
struct Bound(Vec<Ident>);

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        if !self.0.contains(&p.ident) {
            self.0.push(p.ident.clone());
        }
        syn::visit::visit_pat_ident(self, p);
    }
}

fn collect(tokens: TokenStream, contexts: &mut BTreeMap<String, BTreeSet<String>>) {
    for tree in tokens {
        match tree {
            TokenTree::Ident(ident) => {
                contexts
                    .entry(ident.to_string())
                    .or_default()
                    .insert(context(ident.span()));
            }
            TokenTree::Group(group) => collect(group.stream(), contexts),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
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
