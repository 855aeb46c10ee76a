//! The names of what a call becomes: those that the macro binds are its own.

use crate::sorted::Set;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;

/// What a call becomes.
pub(super) struct Expanded {
    pub(super) tokens: TokenStream,
    /// The mark of the names that the macro writes.
    pub(super) mark: String,
    /// Names that would be other variables at the call than where the macro is declared.
    pub(super) hidden: Set<String>,
}

/// A name with the mark, unless it is a keyword.
pub(super) fn marked(name: &Ident, mark: &str) -> Ident {
    let text = name.to_string();
    match text != "self" && syn::parse_str::<Ident>(&text).is_ok() {
        true => Ident::new(
            &format!("{}{mark}", text.trim_start_matches("r#")),
            name.span(),
        ),
        false => name.clone(),
    }
}

/// A literal with the mark behind the names that it captures: `"{n}: {k:?}"`.
pub(super) fn marked_text(of: &Literal, mark: &str) -> Literal {
    let text = of.to_string();
    let mut pieces = text.split('{');
    let mut marked = pieces.next().unwrap_or_default().to_owned();
    let is_text = text.starts_with('"') || text.starts_with('r');
    for piece in pieces {
        let is_escape = marked.ends_with("\\u") || marked.ends_with('{');
        let len = piece.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let (name, rest) = piece.split_at(len.unwrap_or(0));
        let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && rest.starts_with(['}', ':']);
        let mark = if is_text && is_name && !is_escape {
            mark
        } else {
            ""
        };
        marked.extend(["{", name, mark, rest]);
    }
    respelled(of, &marked)
}

/// A literal as it is written otherwise.
fn respelled(of: &Literal, text: &str) -> Literal {
    let mut own = text.parse().unwrap_or_else(|_| of.clone());
    own.set_span(of.span());
    own
}

impl Expanded {
    /// The names with the mark that patterns bind.
    pub(super) fn bound(&self, stmts: &[syn::Stmt]) -> Set<String> {
        let mut names = names_bound(stmts);
        // what begins with a capital letter is a constant or a variant
        names.retain(|name| name.ends_with(&self.mark) && !name.starts_with(char::is_uppercase));
        names
    }

    /// Takes the mark from all names that are not bound. Those that would be other variables get a place of their own,
    /// by which they are found to be others.
    pub(super) fn settle(&self, root: NodeMut<'_>, bound: &Set<String>) {
        let mut before: Set<String> = Set::new();
        walk::change(root, &mut |mut node| {
            self.settle_members(&mut node);
            match node {
                // `let s = s + 1.0;`: what comes first is another `s`
                NodeMut::Stmt(syn::Stmt::Local(local)) => {
                    let mut own = names_of(Node::Pat(&local.pat));
                    own.retain(|name| bound.contains(name) && before.insert(name.clone()));
                    if let Some(init) = &mut local.init {
                        walk::change(NodeMut::Expr(&mut init.expr), &mut |mut node| {
                            self.settle_members(&mut node);
                            match node {
                                NodeMut::Ident(name) if own.contains(&name.to_string()) => {
                                    *name = self.free(name);
                                }
                                _ => {}
                            }
                            Onward::Into
                        });
                    }
                }
                NodeMut::Expr(syn::Expr::Lit(l)) => {
                    if let syn::Lit::Str(of) = &l.lit {
                        l.lit = syn::Lit::new(self.text(&of.token(), bound));
                    }
                }
                NodeMut::Macro(m) => {
                    let listed = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
                    m.tokens = match listed.parse2(m.tokens.clone()) {
                        Ok(mut listed) => {
                            for e in &mut listed {
                                self.settle(NodeMut::Expr(e), bound);
                            }
                            listed.to_token_stream()
                        }
                        Err(_) => self.settled(m.tokens.clone(), bound),
                    };
                }
                // a label is one of the macro; rustc lets it name no other
                NodeMut::Lifetime(label) => {
                    let name = label.ident.to_string();
                    if name.strip_suffix(&self.mark) == Some("static") {
                        self.plain(&mut label.ident);
                    }
                    return Onward::Over;
                }
                NodeMut::Ident(name) if !bound.contains(&name.to_string()) => {
                    *name = self.free(name);
                }
                _ => {}
            }
            Onward::Into
        });
    }

    /// Names of fields and methods are nobody's own.
    fn settle_members(&self, node: &mut NodeMut<'_>) {
        let member = |member: &mut syn::Member| {
            if let syn::Member::Named(name) = member {
                self.plain(name);
            }
        };
        match node {
            NodeMut::Expr(syn::Expr::Field(f)) => member(&mut f.member),
            NodeMut::Expr(syn::Expr::MethodCall(m)) => self.plain(&mut m.method),
            NodeMut::Expr(syn::Expr::Struct(s)) => {
                for field in &mut s.fields {
                    field.colon_token.get_or_insert_with(Default::default);
                    member(&mut field.member);
                }
            }
            NodeMut::Pat(syn::Pat::Struct(s)) => {
                for field in &mut s.fields {
                    field.colon_token.get_or_insert_with(Default::default);
                    member(&mut field.member);
                }
            }
            _ => {}
        }
    }

    fn plain(&self, name: &mut Ident) {
        if let Some(text) = name.to_string().strip_suffix(&self.mark) {
            *name = Ident::new(text, name.span());
        }
    }

    /// A literal without the marks of what is not bound.
    fn text(&self, of: &Literal, bound: &Set<String>) -> Literal {
        let text = of.to_string();
        let mut pieces = text.split(&*self.mark);
        let mut plain = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let name = plain.rsplit('{').next().unwrap_or_default();
            if bound.contains(&format!("{name}{}", self.mark)) {
                plain.push_str(&self.mark);
            }
            plain.push_str(piece);
        }
        respelled(of, &plain)
    }

    /// A name that the macro does not bind.
    fn free(&self, name: &Ident) -> Ident {
        let text = name.to_string();
        let Some(text) = text.strip_suffix(&self.mark) else {
            return name.clone();
        };
        let span = match self.hidden.contains(text) {
            true => name.span().resolved_at(Span::call_site()),
            false => name.span(),
        };
        Ident::new(text, span)
    }

    /// The same in the arguments of a macro.
    fn settled(&self, tokens: TokenStream, bound: &Set<String>) -> TokenStream {
        let mut is_member = false;
        let each = tokens.into_iter().map(|tree| {
            let was_member = is_member;
            is_member = matches!(&tree, TokenTree::Punct(p) if p.as_char() == '.') && !was_member;
            match tree {
                TokenTree::Group(g) => {
                    let mut group = Group::new(g.delimiter(), self.settled(g.stream(), bound));
                    group.set_span(g.span());
                    group.into()
                }
                TokenTree::Ident(name) => match name.to_string().strip_suffix(&self.mark) {
                    Some(plain) if was_member => Ident::new(plain, name.span()).into(),
                    Some(_) if !bound.contains(&name.to_string()) => self.free(&name).into(),
                    _ => name.into(),
                },
                TokenTree::Literal(of) => self.text(&of, bound).into(),
                tree => tree,
            }
        });
        each.collect()
    }
}

/// The names that patterns bind.
pub(super) fn names_of(root: Node<'_>) -> Set<String> {
    let names = walk::bound(root).into_iter();
    names.map(|name| name.to_string()).collect()
}

pub(super) fn names_bound(stmts: &[syn::Stmt]) -> Set<String> {
    let each = stmts.iter().flat_map(|stmt| names_of(Node::Stmt(stmt)));
    each.collect()
}
