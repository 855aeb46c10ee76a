//! Names of one capital letter, `[f64; N]`: of one that does not exist rustc tells once more with a help, that it may
//! be missing among the parameters of the function. Of generated code it cannot say so.
//!
//! A function that has such names, and no parameters, gets an empty list of these, which is ours: rustc says
//! nothing of what could be added to that, and the same of the function as of generated code.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::visit::{self, Visit};

/// The function as it is handed back.
pub(super) fn with_parameters(function: &syn::ItemFn) -> TokenStream {
    let Some(at) = own_list(function) else {
        return function.to_token_stream();
    };
    let mut tokens = TokenStream::new();
    let mut trees = function.to_token_stream().into_iter();
    for tree in trees.by_ref() {
        let begins = matches!(&tree, TokenTree::Ident(i) if i == "fn");
        tokens.extend([tree]);
        if begins {
            break;
        }
    }
    tokens.extend(trees.next());
    tokens.extend(quote_spanned!(at=> <>));
    tokens.extend(trees);
    tokens
}

/// Where the list stands, if there is one.
pub(super) fn own_list(function: &syn::ItemFn) -> Option<Span> {
    let sig = &function.sig;
    // of lifetimes rustc tells where they are declared
    let is_ours = sig.generics.params.is_empty() && !names_lifetimes(sig) && has_letters(function);
    is_ours.then(|| Span::call_site().located_at(sig.ident.span()))
}

fn names_lifetimes(sig: &syn::Signature) -> bool {
    struct Found(bool);
    impl<'ast> Visit<'ast> for Found {
        fn visit_lifetime(&mut self, _: &'ast syn::Lifetime) {
            self.0 = true;
        }
    }
    let mut found = Found(super::names::lends(&sig.output));
    found.visit_signature(sig);
    found.0
}

fn has_letters(function: &syn::ItemFn) -> bool {
    struct Letters(bool);
    impl<'ast> Visit<'ast> for Letters {
        fn visit_path(&mut self, path: &'ast syn::Path) {
            self.0 |= path.get_ident().is_some_and(is_letter);
            visit::visit_path(self, path);
        }
        fn visit_macro(&mut self, mac: &'ast syn::Macro) {
            self.0 |= in_tokens(mac.tokens.clone());
        }
    }
    let mut found = Letters(false);
    found.visit_item_fn(function);
    found.0
}

fn in_tokens(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => is_letter(&ident),
        TokenTree::Group(group) => in_tokens(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

fn is_letter(name: &Ident) -> bool {
    let name = name.to_string();
    let mut letters = name.chars();
    matches!((letters.next(), letters.next()), (Some(c), None) if c.is_uppercase())
}
