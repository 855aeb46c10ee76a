//! Constants that several statements make: they run once in each sweep, into a cell.

use super::super::Builder;
use super::Code;
use crate::ir::{ONCE, Tokens};
use crate::lower::code;
use crate::lower::hir::Local;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

impl Builder<'_> {
    /// Code that runs once in each sweep, when it is first used: it makes a collection, which a loop may read. Inside of
    /// a branch or a loop it is what it is, since it may differ from trip to trip.
    pub(in crate::lower::build) fn once(&mut self, code: Code, local: Local) -> Code {
        if self.regions.len() > 1 {
            return code;
        }
        self.body.has_cells = true;
        let cell = format!("{ONCE}{}", local.0);
        let parsed = |text: &str| text.parse::<TokenStream>().expect("code of our own");
        let group = |inner| TokenTree::from(Group::new(Delimiter::Parenthesis, inner));
        let (mut made, joined) = (parsed("||"), code.joined());
        made.extend(joined.0.clone());
        let mut tokens = parsed(&format!("*{cell}.get_or_init"));
        tokens.extend([group(made)]);
        Code {
            lets: TokenStream::new(),
            named: Vec::new(),
            tokens: Tokens(TokenStream::from(group(tokens))),
            made: Some(joined),
            choice: None,
            ..code
        }
    }
}

impl Code {
    /// The code as a value of its own, also where there is a place that has it.
    pub(super) fn by_value(self) -> Code {
        match self.made {
            Some(tokens) => Code {
                tokens,
                made: None,
                ..self
            },
            None => self,
        }
    }

    /// What goes by this name in the code is behind it: a reference to the place that there is. A value stays one.
    pub(super) fn behind(&mut self, name: &str, inner: Code) -> Code {
        if inner.made.is_none() {
            return inner;
        }
        self.tokens = Tokens(dereferenced(self.tokens.0.clone(), name));
        Code {
            made: None,
            ..inner.wrapped("&")
        }
    }
}

/// Whether code does no more with a variable than to borrow it, call methods of its and index it.
pub(super) fn uses_place(tokens: &TokenStream, name: &str) -> bool {
    let mut trees = tokens.clone().into_iter().peekable();
    let mut before = None;
    while let Some(tree) = trees.next() {
        let is_place = match &tree {
            TokenTree::Ident(ident) if *ident == name && !matches!(before, Some('.' | ':')) => {
                let mut rest = trees.clone();
                let is_read = match rest.next() {
                    Some(TokenTree::Group(g)) => g.delimiter() == Delimiter::Bracket,
                    Some(TokenTree::Punct(p)) if p.as_char() == '.' => {
                        let method = rest.next().map(|m| m.to_string()).unwrap_or_default();
                        !method.starts_with("into")
                    }
                    _ => false,
                };
                before == Some('&') || is_read
            }
            TokenTree::Group(g) => uses_place(&g.stream(), name),
            _ => true,
        };
        if !is_place {
            return false;
        }
        before = sign(before, &tree);
    }
    true
}

/// `(*name)` for `name`.
fn dereferenced(tokens: TokenStream, name: &str) -> TokenStream {
    let mut before = None;
    let each = tokens.into_iter().map(|tree| {
        let next = sign(before, &tree);
        let after = std::mem::replace(&mut before, next);
        match tree {
            TokenTree::Ident(ident) if ident == name && !matches!(after, Some('.' | ':')) => {
                let mut inner = "*".parse::<TokenStream>().expect("code of our own");
                inner.extend([TokenTree::Ident(ident)]);
                TokenTree::Group(Group::new(Delimiter::Parenthesis, inner))
            }
            TokenTree::Group(g) => {
                let mut group = Group::new(g.delimiter(), dereferenced(g.stream(), name));
                group.set_span(g.span());
                TokenTree::Group(group)
            }
            other => other,
        }
    });
    each.collect()
}

fn sign(before: Option<char>, tree: &TokenTree) -> Option<char> {
    match tree {
        TokenTree::Punct(p) => code::access(before, p),
        _ => None,
    }
}
