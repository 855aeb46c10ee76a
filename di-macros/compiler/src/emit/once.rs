//! Cells for passive code that runs once in each sweep, when it is first used.

use crate::ir::{Body, ONCE};
use crate::sorted::Set;
use crate::template::quote;
use proc_macro2::{TokenStream, TokenTree};
use quote::format_ident;

/// The code of a body behind the cells that it uses.
pub(super) fn with_cells(body: &Body, code: TokenStream) -> TokenStream {
    if !body.has_cells {
        return code;
    }
    let mut names = Set::new();
    find(code.clone(), &mut names);
    let names = names.iter().map(|name| format_ident!("{name}"));
    quote!(#(let #names = ::core::cell::OnceCell::new();)* #code)
}

fn find(tokens: TokenStream, names: &mut Set<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(g) => find(g.stream(), names),
            TokenTree::Ident(ident) => {
                let name = ident.to_string();
                let number = name.strip_prefix(ONCE).unwrap_or_default();
                if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) {
                    names.insert(name);
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
