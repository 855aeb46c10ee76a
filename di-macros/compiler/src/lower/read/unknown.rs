//! Names that are none of the function's: most likely mistyped variables, or such that are out of scope.
//!
//! What rustc says of a name depends on those around it. So it meets them again where the name stands in
//! generated code, says the same, and says it once.

use super::Reader;
use super::expr::unraw;
use crate::ir::Tokens;
use crate::lower::code;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use std::collections::BTreeSet;

impl Reader<'_> {
    /// Code with the variables of the function bound around it, if there are names in what the user wrote that
    /// nothing binds.
    pub(super) fn among_locals(&self, written: TokenStream, tokens: Tokens) -> Tokens {
        let mut names = Names::default();
        names.collect(written);
        self.around(&names, tokens)
    }

    /// The same for a macro whose format string reads such names.
    pub(super) fn among_captured(&mut self, tokens: TokenStream) -> Tokens {
        let captured = std::mem::take(&mut self.captured);
        if captured.is_empty() {
            return Tokens(tokens);
        }
        let mut names = Names::default();
        names.collect(tokens.clone());
        names.all.extend(captured.iter().cloned());
        names.values = captured.into_iter().collect();
        self.around(&names, Tokens(tokens))
    }

    fn around(&self, names: &Names, tokens: Tokens) -> Tokens {
        let is_unknown = |name: &&String| self.is_unknown(name);
        if !names.values.iter().any(|name| is_unknown(&name)) {
            return tokens;
        }
        let is_alone = names.all.iter().all(|name| is_unknown(&name));
        let mut around = Vec::new();
        for scope in self.scopes.iter().rev() {
            let mut locals: Vec<_> = scope.locals.iter().collect();
            locals.sort_by_key(|(_, local)| local.0);
            let others = locals.iter().filter(|(name, _)| !names.all.contains(*name));
            around.extend(others.filter_map(|(name, _)| ident(name, Span::call_site())));
        }
        let left = self
            .left
            .iter()
            .filter(|(name, _)| names.values.contains(name));
        let left: Vec<Ident> = left.filter_map(|(name, at)| ident(name, *at)).collect();
        Tokens(code::among(&left, &around, &tokens.0, is_alone))
    }

    /// Whether nothing in the function binds a name that looks like one of a variable.
    fn is_unknown(&self, name: &str) -> bool {
        let is_like_one = name.starts_with(char::is_lowercase);
        is_like_one && self.lookup(name).is_none() && self.item(name).is_none()
    }
}

fn ident(name: &str, at: Span) -> Option<Ident> {
    let mut ident = syn::parse_str::<Ident>(name).ok()?;
    ident.set_span(at);
    Some(ident)
}

#[derive(Default)]
struct Names {
    /// Names of values, but for functions.
    values: BTreeSet<String>,
    all: BTreeSet<String>,
}

impl Names {
    fn collect(&mut self, tokens: TokenStream) {
        let mut trees = tokens.into_iter().peekable();
        let mut before = String::new();
        while let Some(tree) = trees.next() {
            match &tree {
                TokenTree::Group(group) => self.collect(group.stream()),
                TokenTree::Ident(name) => {
                    let is_word = syn::parse_str::<Ident>(&name.to_string()).is_err();
                    let is_part = matches!(before.as_str(), "." | ":" | "as" | "'");
                    let is_head = match trees.peek() {
                        Some(TokenTree::Punct(p)) => matches!(p.as_char(), ':' | '!'),
                        Some(TokenTree::Group(group)) => {
                            group.delimiter() != proc_macro2::Delimiter::Bracket
                        }
                        _ => false,
                    };
                    if !is_word && !is_part {
                        self.all.insert(unraw(name));
                    }
                    if !is_word && !is_part && !is_head {
                        self.values.insert(unraw(name));
                    }
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            let is_range = before == "." && tree.to_string() == ".";
            before = match is_range {
                true => String::new(),
                false => tree.to_string(),
            };
        }
    }
}
