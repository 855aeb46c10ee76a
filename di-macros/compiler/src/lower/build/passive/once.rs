//! Constants that several statements make: they run once in each sweep, into a cell.

use super::super::Builder;
use super::Code;
use crate::ir::{ONCE, PlaceKind, Tokens};
use crate::lower::code;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

impl Builder<'_> {
    /// Code that runs once in each sweep, when it is first used: it makes a collection, which a loop may read. Inside of
    /// a branch or a loop it is what it is, since it may differ from trip to trip, unless it uses nothing but constant
    /// parameters behind `&`: then all trips read one collection, which is not made for each element of it.
    pub(in crate::lower::build) fn once(&mut self, code: Code) -> Code {
        let never_changes = code.operands.is_empty()
            && code.places.iter().all(|(_, place)| {
                matches!(self.body.place(*place).kind, PlaceKind::SharedParam(_))
            });
        if self.regions.len() > 1 && !never_changes {
            // what is read of it may borrow from it
            self.cells += 1;
            return code.borrowed(&format!("__made{}", self.cells), 0);
        }
        self.body.has_cells = true;
        // the body of a closure is built for each of its calls
        let cell = format!("{ONCE}{}", self.cells);
        self.cells += 1;
        let parsed = |text: &str| text.parse::<TokenStream>().expect("code of our own");
        let group = |inner| TokenTree::from(Group::new(Delimiter::Parenthesis, inner));
        let joined = code.joined();
        let block = |inner| TokenTree::from(Group::new(Delimiter::Brace, inner));
        // by a closure, it would be compiled once more with all of std that takes one
        let mut made = parsed(&format!("let _ = {cell}.set"));
        made.extend([group(joined.0.clone())]);
        made.extend(parsed(";"));
        let mut place = parsed(&format!("if {cell}.get().is_none()"));
        place.extend([block(made)]);
        place.extend(parsed(&format!("{cell}.get().expect(\"made above\")")));
        let mut tokens = parsed("*");
        tokens.extend([block(place)]);
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

impl Builder<'_> {
    /// A list that a function returns is made once, and not again for each of its elements.
    pub(in crate::lower::build) fn made_once(&mut self, code: Code) -> Code {
        if code.made.is_some() || !is_call(&code.tokens.0) {
            return code;
        }
        self.once(code)
    }
}

fn is_call(tokens: &TokenStream) -> bool {
    fn is_one(e: &syn::Expr) -> bool {
        match e {
            syn::Expr::Paren(p) => is_one(&p.expr),
            syn::Expr::Group(g) => is_one(&g.expr),
            syn::Expr::Call(c) => matches!(*c.func, syn::Expr::Path(_)),
            syn::Expr::MethodCall(m) => m.method == "collect",
            _ => false,
        }
    }
    syn::parse2(tokens.clone()).is_ok_and(|e| is_one(&e))
}

impl Code {
    /// Whether it is a place where a value is made once.
    pub(in crate::lower::build) fn is_made_once(&self) -> bool {
        self.made.is_some()
    }

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
        if inner.made.is_none() && !inner.is_place() {
            return inner;
        }
        self.tokens = Tokens(dereferenced(self.tokens.0.clone(), name));
        Code {
            made: None,
            ..inner.wrapped("&")
        }
    }
}

impl Code {
    /// Whether the code stands for a part of something else, of which only a copy can be taken.
    pub(in crate::lower::build) fn is_place(&self) -> bool {
        syn::parse2(self.tokens.0.clone()).is_ok_and(|e| is_place(&e))
    }

    /// The code as a value of its own: made again, or a copy of the part that it stands for.
    pub(in crate::lower::build) fn taken(self) -> Code {
        let is_part = || syn::parse2(self.tokens.0.clone()).is_ok_and(|e| is_part(&e));
        match self.made.is_none() && self.is_place() || is_part() {
            true => self.map(|part| code::cloned(&part)),
            false => self.by_value(),
        }
    }

    /// Whether it matches a pattern.
    pub(in crate::lower::build) fn matched(self, pat: &TokenStream) -> Code {
        // literals move nothing, and one of a text means no reference to it
        let is_part = self.is_place() && is_plain(pat) && !is_literal(pat);
        self.map(|of| match is_part {
            true => code::matches(&code::reference(&of), pat),
            false => code::matches(&of, pat),
        })
    }

    /// What a pattern binds in it, which stands for a part of it if this is one.
    pub(in crate::lower::build) fn bound_by(
        self,
        pat: &TokenStream,
        name: (&str, Span),
        number: bool,
    ) -> Code {
        if !self.is_place() || !is_plain(pat) {
            return self.map(|of| code::bound_by(&of, pat, name, number));
        }
        if number {
            return self.map(|of| code::bound_by(&code::reference(&of), pat, name, true));
        }
        let made = self.made.clone();
        let part = self.map(|of| code::bound_by(&code::reference(&of), pat, name, false));
        Code {
            made: made.map(|made| Tokens(code::bound_by(&made.0, pat, name, false))),
            ..part.wrapped("*")
        }
    }
}

/// Whether a pattern says nothing of references, so that it means the same behind one.
fn is_plain(pat: &TokenStream) -> bool {
    pat.clone().into_iter().all(|tree| match tree {
        TokenTree::Ident(ident) => ident != "ref" && ident != "mut",
        TokenTree::Punct(p) => p.as_char() != '&',
        TokenTree::Group(g) => is_plain(&g.stream()),
        TokenTree::Literal(_) => true,
    })
}

/// `"tanh" | "relu"`
fn is_literal(pat: &TokenStream) -> bool {
    (pat.clone().into_iter())
        .all(|tree| matches!(tree, TokenTree::Literal(_) | TokenTree::Punct(_)))
}

fn is_place(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Paren(p) => is_place(&p.expr),
        syn::Expr::Group(g) => is_place(&g.expr),
        syn::Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)),
        e => is_part(e),
    }
}

fn is_part(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Paren(p) => is_part(&p.expr),
        syn::Expr::Group(g) => is_part(&g.expr),
        syn::Expr::Index(i) => !matches!(*i.index, syn::Expr::Range(_)),
        syn::Expr::Field(f) => is_place(&f.base) || matches!(*f.base, syn::Expr::Reference(_)),
        _ => false,
    }
}

/// Methods that take what they are called on, beside those that begin with `into`: of options and results.
const TAKING: [&str; 23] = [
    "and",
    "and_then",
    "err",
    "expect",
    "expect_err",
    "filter",
    "flatten",
    "is_none_or",
    "is_ok_and",
    "is_some_and",
    "map",
    "map_err",
    "map_or",
    "map_or_else",
    "ok",
    "ok_or",
    "ok_or_else",
    "or",
    "or_else",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
];

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
                        !method.starts_with("into") && !TAKING.contains(&&*method)
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
    let (mut out, mut before) = (TokenStream::new(), None);
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let next = sign(before, &tree);
        let after = std::mem::replace(&mut before, next);
        let keeps = matches!(after, Some('.' | ':')) || code::is_argument(after, trees.peek());
        let tree = match tree {
            TokenTree::Ident(ident) if ident == name && !keeps => {
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
        };
        out.extend([tree]);
    }
    out
}

fn sign(before: Option<char>, tree: &TokenTree) -> Option<char> {
    match tree {
        TokenTree::Punct(p) => code::access(before, p),
        _ => None,
    }
}
