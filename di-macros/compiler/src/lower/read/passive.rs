//! Passive code that is carried along: chains on `#[constant]` parameters of foreign types, on
//! constants, and `passive(..)`.

use super::expr::{strip, unraw};
use super::lifted::behind_references;
use super::taken::is_question;
use super::{Reader, effect};
use crate::error;
use crate::ir::{OPAQUE_PART, Tokens};
use crate::lower::code;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind, Local, Passive};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::report::Extent;
use crate::sorted::Map;
use crate::symbol;
use crate::template::parse_quote;
use crate::tokens::regrouped;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;

impl Reader<'_> {
    /// `p.table[i].value(j)` with a root that the compiler does not look into.
    pub(super) fn opaque_chain(&mut self, e: &syn::Expr) -> Option<Expr> {
        if self.is_of_plain_type(e) && !self.has_active_part(e) {
            return Some(self.passive(e, false));
        }
        let (root, first) = chain_root(strip(e))?;
        if self.has_change(e) {
            return None;
        }
        let from_constant = match self.local_by(&root.path) {
            Some(local) => {
                let ty = self.inner_type(&self.locals[local.0].ty);
                let foreign = self.types.is_foreign(&ty);
                if !matches!(ty, Ty::Opaque(_)) && !foreign {
                    return None;
                }
                let written = self.types.written(&ty);
                let is_float = written.is_some_and(|of| of.0.to_string() == self.float);
                // a branch may have chosen it
                let is_chosen = |m: &syn::ExprMethodCall| is_of_floats(&m.method.to_string());
                if is_float && matches!(first, Step::Method(m) if is_chosen(m)) {
                    return None;
                }
                false
            }
            None if root.path.is_ident("self") || self.names_chain(&root.path) => return None,
            None => true,
        };
        if self.has_active_part(e) {
            return None;
        }
        if from_constant {
            // a constant of a known type, or a float function on one, is ordinary code
            let base = self.constant_tokens(&root.path).1;
            if base.is_some_and(|t| !matches!(self.types.shallow(&t), Ty::Array(..) | Ty::Ref(..)))
            {
                return None;
            }
            if let Step::Method(m) = first {
                let name = m.method.to_string();
                if is_of_floats(&name)
                    || matches!(name.as_str(), "iter" | "clone") && !self.finds_element(e)
                {
                    return None;
                }
                if names_float(&root.path, self.float) {
                    return None;
                }
            }
        }
        self.note_indices(e);
        Some(self.passive(e, false))
    }

    /// Whether a chain begins with a variable that the compiler does not look into.
    pub(super) fn is_of_opaque(&self, e: &syn::Expr) -> bool {
        let root = chain_root(strip(e)).and_then(|(root, _)| root.path.get_ident());
        let local = root.and_then(|name| self.lookup(&unraw(name)));
        local.is_some_and(|l| matches!(self.types.peel(&self.locals[l.0].ty), Ty::Opaque(_)))
    }

    /// `Season::of(t).index()` of a type that is not known to be differentiated, with constants alone; and of text.
    fn is_of_plain_type(&self, e: &syn::Expr) -> bool {
        let syn::Expr::MethodCall(m) = strip(e) else {
            return false;
        };
        let is_constant = |args: &Punctuated<syn::Expr, syn::Token![,]>| {
            !args.iter().any(|arg| self.may_be_active(arg))
        };
        is_constant(&m.args)
            && match strip(&m.receiver) {
                syn::Expr::Call(c) => {
                    let syn::Expr::Path(p) = strip(&c.func) else {
                        return false;
                    };
                    let mut owner = p.path.clone();
                    owner.segments.pop();
                    owner.segments.pop_punct();
                    let name = owner.to_token_stream().to_string();
                    let is_known = self.env.is_opaque(&name) || self.is_plain_function(&p.path);
                    is_constant(&c.args) && is_known && p.qself.is_none()
                }
                syn::Expr::Lit(l) => matches!(l.lit, syn::Lit::Str(_)),
                inner => self.is_of_plain_type(inner),
            }
    }

    /// Whether this is a function that is known not to be differentiated, with a result.
    pub(super) fn is_plain_function(&self, path: &syn::Path) -> bool {
        let known = self.plain_function(path);
        known.is_some_and(|of| matches!(of.signature.output, syn::ReturnType::Type(..)))
    }

    /// `t[k + 1]`: of `k` nothing may be known but that.
    fn note_indices(&mut self, e: &syn::Expr) {
        let mut found = Vec::new();
        walk::read(Node::Expr(e), &mut |node| {
            if let Node::Expr(syn::Expr::Index(i)) = node
                && let syn::Expr::Binary(b) = strip(&i.index)
                && matches!(b.op, syn::BinOp::Add(_) | syn::BinOp::Sub(_))
                && let (syn::Expr::Path(p), syn::Expr::Lit(_)) = (strip(&b.left), strip(&b.right))
            {
                let name = p.path.get_ident().map(unraw);
                found.extend(name.and_then(|name| self.lookup(&name)));
            }
            Onward::Into
        });
        for local in found {
            let ty = self.locals[local.0].ty.clone();
            let is_foreign = self
                .types
                .traits(&ty)
                .is_some_and(|t| t.foreign && !t.refused);
            if is_foreign {
                self.unify(&ty, &Ty::usize(), e.extent());
            }
        }
    }

    /// Whether a chain has a part to differentiate: a closure, what it is joined with, or an argument of a function
    /// of floats that reads a variable of the function that is no constant.
    pub(super) fn has_active_part(&self, e: &syn::Expr) -> bool {
        match strip(e) {
            syn::Expr::Field(f) => self.has_active_part(&f.base),
            syn::Expr::Index(i) => self.has_active_part(&i.expr),
            syn::Expr::MethodCall(m) => {
                let name = m.method.to_string();
                let joins = match &*name {
                    "zip" | "chain" => true,
                    "map_or" | "or" | "unwrap_or" => {
                        let of = self.type_as_written(&m.receiver);
                        of.is_some_and(|of| types::is_option(behind_references(&of)))
                    }
                    name => symbol::elementary(name).is_some(),
                };
                let is_active = |arg: &syn::Expr| match strip(arg) {
                    closure @ syn::Expr::Closure(_) => self.may_be_active(closure),
                    syn::Expr::Path(p) => {
                        let name = p.path.get_ident();
                        name.is_some_and(|name| self.names_closure(name))
                            || joins && self.may_be_active(arg)
                    }
                    other => joins && self.may_be_active(other),
                };
                m.args.iter().any(is_active)
                    || self.is_own_method(m) && m.args.iter().any(|arg| self.may_be_active(arg))
                    || self.has_active_part(&m.receiver)
                    || self.active_object(m).is_some()
            }
            _ => false,
        }
    }

    /// Carries an expression along as it is written.
    pub(super) fn passive(&mut self, e: &syn::Expr, explicit: bool) -> Expr {
        if let syn::Expr::Reference(r) = strip(e)
            && let Some(of) = self.borrowed_state(r)
        {
            return self.refuse_about(e.extent(), &error::COLLECTION_CHANGES, of);
        }
        let may_return = walk::any(
            Node::Expr(e),
            &mut |node| matches!(node, Node::Expr(e) if is_question(e)),
        );
        if may_return && let Some(code) = self.taken_out(e, explicit) {
            return self.expr(&code);
        }
        if let Some(at) = effect(e).or_else(|| self.changes_within(e)) {
            return self.refuse(at, &error::PASSIVE_EFFECT);
        }
        if let Some(run) = self.passive_on_state(e) {
            return run;
        }
        if let Some((lets, code)) = self.choosing(e).filter(|_| !explicit) {
            return self.expr(&parse_quote!({ #(#lets)* #code }));
        }
        if let Some((at, ty)) = self.changed_again(e) {
            return self.refuse_about(at, &error::COLLECTION_CHANGES, ty);
        }
        match self.taken_out(e, explicit) {
            Some(code) => self.expr(&code),
            None => self.passive_code(e, explicit),
        }
    }

    /// `x.len()` of a sequence.
    pub(super) fn is_length(&mut self, m: &syn::ExprMethodCall) -> bool {
        let of = self.place_type(&m.receiver);
        let is_sequence = matches!(of, Some(Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_)));
        m.method == "len" && m.args.is_empty() && is_sequence
    }

    /// The same of code that changes its own variables alone; the compiler does not look at what becomes of values whose
    /// types are `outgoing`.
    pub(super) fn code_with(
        &mut self,
        e: &syn::Expr,
        explicit: bool,
        outgoing: &dyn Fn(&Self, &Ty) -> bool,
    ) -> Expr {
        let span = e.extent();
        let mut locals = Map::new();
        let scoped = self.unshadowed(e);
        let own: Vec<String> = walk::bound(Node::Expr(&scoped)).iter().map(unraw).collect();
        self.note_integers(&scoped, &own);
        let writes = walk::any(
            Node::Expr(&scoped),
            &mut |node| matches!(node, Node::Macro(mac) if effect::is_write(mac)),
        );
        let mut tokens = self.with_items(scoped.to_token_stream());
        if writes {
            tokens = self.with_writers(tokens);
        }
        let tokens = self.rename(tokens, &own, &mut locals);
        let tokens = self.of_constant_parts(tokens, &mut locals);
        for local in locals.values() {
            let ty = &self.locals[local.0].ty;
            if outgoing(self, ty) {
                self.types.set_outgoing(ty, false);
            }
        }
        let ty = self.carried(self.type_as_written(e));
        let passive = Passive {
            tokens: Tokens(tokens),
            locals: locals.into_iter().collect(),
            explicit,
            lifted: false,
        };
        Expr::new(Kind::Passive(passive), ty, span)
    }

    /// Code that reads nothing of a derived struct but constants in it: they have the same types in generated code.
    fn of_constant_parts(
        &self,
        tokens: TokenStream,
        locals: &mut Map<String, Local>,
    ) -> TokenStream {
        let mut all = locals.iter().map(|(name, local)| (name.clone(), *local));
        let found = all.find(|(name, local)| {
            let Ty::Struct(path) = self.types.peel(&self.locals[local.0].ty) else {
                return false;
            };
            let path = path.0.to_string();
            let is_number = |of: &str| self.types.data(of).is_some();
            let is_part = |field: &str| self.env.is_carried_field(&path, field, &is_number);
            reads_parts(&tokens, name, &is_part)
        });
        let Some((name, local)) = found else {
            return tokens;
        };
        locals.remove(&name);
        locals.insert(OPAQUE_PART.to_owned(), local);
        renamed(tokens, &name)
    }

    /// The expression, in which no parameter of a closure and no variable of a loop has the name of a variable of the
    /// function.
    pub(super) fn unshadowed(&self, e: &syn::Expr) -> syn::Expr {
        let mut e = e.clone();
        walk::change(NodeMut::Expr(&mut e), &mut |node| {
            let hidden = |pats: &[&syn::Pat]| {
                let bound = pats.iter().flat_map(|p| walk::bound(Node::Pat(p)));
                let mut hidden: Vec<String> = bound.map(|i| unraw(&i)).collect();
                hidden.retain(|name| self.lookup(name).is_some());
                hidden
            };
            // what a macro makes of its tokens is not known
            let has_macro = |of| walk::any(of, &mut |n| matches!(n, Node::Macro(_)));
            match node {
                NodeMut::Expr(syn::Expr::Closure(closure)) => {
                    if has_macro(Node::Expr(&closure.body)) {
                        return Onward::Over;
                    }
                    let hidden = hidden(&closure.inputs.iter().collect::<Vec<_>>());
                    for input in &mut closure.inputs {
                        rename_all(NodeMut::Pat(input), &hidden);
                    }
                    rename_all(NodeMut::Expr(&mut closure.body), &hidden);
                }
                NodeMut::Expr(syn::Expr::ForLoop(f)) => {
                    let mut stmts = f.body.stmts.iter();
                    if !stmts.any(|s| has_macro(Node::Stmt(s))) {
                        let hidden = hidden(&[&f.pat]);
                        rename_all(NodeMut::Pat(&mut f.pat), &hidden);
                        for stmt in &mut f.body.stmts {
                            rename_all(NodeMut::Stmt(stmt), &hidden);
                        }
                    }
                }
                _ => {}
            }
            Onward::Into
        });
        e
    }

    /// Finds the variables of the function in tokens, and gives them one hygiene, that under which
    /// they are bound around the code.
    fn rename(
        &self,
        tokens: TokenStream,
        own: &Vec<String>,
        locals: &mut Map<String, Local>,
    ) -> TokenStream {
        let mut out = TokenStream::new();
        let mut previous: Option<char> = None;
        let mut trees = tokens.into_iter().peekable();
        while let Some(tree) = trees.next() {
            let mut punct = None;
            // `{ name: value }` or `name![..]`, where `::` and `!=` begin with a sign that is joined to the next one
            let is_field = matches!(trees.peek(), Some(TokenTree::Punct(p))
                if matches!(p.as_char(), ':' | '!') && p.spacing() == proc_macro2::Spacing::Alone);
            let tree = match tree {
                TokenTree::Group(g) => regrouped(&g, self.rename(g.stream(), own, locals)),
                TokenTree::Ident(ident) => {
                    let name = unraw(&ident);
                    match self.lookup(&name) {
                        Some(_) | None if is_field || own.contains(&name) => {
                            TokenTree::Ident(ident)
                        }
                        // `.name` is a field or a method, `::name` an item
                        Some(local) if !matches!(previous, Some('.' | ':')) => {
                            locals.insert(name.clone(), local);
                            let mut ident = ident;
                            ident.set_span(Span::call_site().located_at(ident.span()));
                            TokenTree::Ident(ident)
                        }
                        None if self.names_closure(&ident)
                            && !matches!(previous, Some('.' | ':')) =>
                        {
                            self.cx
                                .error_about(ident.span(), &error::PASSIVE_CLOSURE, &name);
                            TokenTree::Ident(ident)
                        }
                        None if self.names_chain(&ident.clone().into())
                            && !matches!(previous, Some('.' | ':')) =>
                        {
                            self.cx.error(ident.span(), &error::ITERATOR_VALUE);
                            TokenTree::Ident(ident)
                        }
                        Some(_) | None => TokenTree::Ident(ident),
                    }
                }
                TokenTree::Punct(p) => {
                    punct = code::access(previous, &p);
                    TokenTree::Punct(p)
                }
                TokenTree::Literal(l) => TokenTree::Literal(l),
            };
            previous = punct;
            out.extend([tree]);
        }
        out
    }
}

/// What such names begin with.
pub(super) const OWN: &str = "__own_";

/// Gives bindings and variables of these names other names.
pub(super) fn rename_all(root: NodeMut<'_>, names: &[String]) {
    let fresh = |ident: &mut syn::Ident| {
        let name = unraw(ident);
        if names.contains(&name) {
            *ident = syn::Ident::new(&format!("{OWN}{name}"), ident.span());
        }
    };
    walk::change(root, &mut |node| {
        match node {
            NodeMut::Pat(syn::Pat::Ident(p)) => fresh(&mut p.ident),
            // `P { x }` is `P { x: x }`
            NodeMut::Pat(syn::Pat::Struct(s)) => {
                for field in &mut s.fields {
                    field.colon_token.get_or_insert_default();
                }
            }
            NodeMut::Expr(syn::Expr::Struct(s)) => {
                for field in &mut s.fields {
                    field.colon_token.get_or_insert_default();
                }
            }
            NodeMut::ExprPath(p) if p.qself.is_none() && p.path.get_ident().is_some() => {
                fresh(&mut p.path.segments[0].ident);
            }
            NodeMut::Item(_) => return Onward::Over,
            _ => {}
        }
        Onward::Into
    });
}

/// First step of a chain.
enum Step<'a> {
    Method(&'a syn::ExprMethodCall),
    Other,
}

/// Path at the bottom of `root.a[i].m(..)`, if there is at least one step above it.
fn chain_root(e: &syn::Expr) -> Option<(&syn::ExprPath, Step<'_>)> {
    let (inner, step) = match e {
        syn::Expr::Field(f) => (strip(&f.base), Step::Other),
        syn::Expr::Index(i) => (strip(&i.expr), Step::Other),
        syn::Expr::MethodCall(m) => (strip(&m.receiver), Step::Method(m)),
        _ => return None,
    };
    let inner = match inner {
        syn::Expr::Reference(r) => strip(&r.expr),
        syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => strip(&u.expr),
        other => other,
    };
    match inner {
        syn::Expr::Path(p) if p.qself.is_none() => Some((p, step)),
        other => chain_root(other),
    }
}

fn is_of_floats(method: &str) -> bool {
    symbol::elementary(method).is_some() || method == "sin_cos"
}

/// `f64::EPSILON` and its kin.
fn names_float(path: &syn::Path, float: &str) -> bool {
    path.segments
        .iter()
        .any(|s| s.ident == float || s.ident == "consts")
}

/// Whether all that code does with a variable is to read fields of it for which this holds.
fn reads_parts(tokens: &TokenStream, name: &str, is_part: &dyn Fn(&str) -> bool) -> bool {
    let mut trees = tokens.clone().into_iter();
    let mut follows_dot = false;
    while let Some(tree) = trees.next() {
        match &tree {
            TokenTree::Ident(ident) if *ident == name && !follows_dot => {
                let dot = trees.next();
                let field = trees.next().map(|field| field.to_string());
                if !matches!(dot, Some(TokenTree::Punct(p)) if p.as_char() == '.')
                    || !field.is_some_and(|field| is_part(&field))
                {
                    return false;
                }
            }
            TokenTree::Group(g) if !reads_parts(&g.stream(), name, is_part) => return false,
            _ => {}
        }
        follows_dot = matches!(&tree, TokenTree::Punct(p) if p.as_char() == '.');
    }
    true
}

/// The code with the struct that holds constants in the place of this variable. In generated code its fields may be
/// references: `in &p.names` is `in p.names.iter()`.
fn renamed(tokens: TokenStream, name: &str) -> TokenStream {
    let is_sign = |tree: Option<&TokenTree>, sign: char| matches!(tree, Some(TokenTree::Punct(p)) if p.as_char() == sign);
    let mut out: Vec<TokenTree> = Vec::new();
    let mut trees = tokens.into_iter();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Ident(ident) if ident == name && !is_sign(out.last(), '.') => {
                let behind = out.len().checked_sub(2).and_then(|k| out.get(k));
                let is_looped = is_sign(out.last(), '&')
                    && matches!(behind, Some(TokenTree::Ident(i)) if i == "in");
                let own = Ident::new(OPAQUE_PART, Span::call_site());
                if is_looped {
                    out.pop();
                    let field = trees.by_ref().take(2);
                    out.extend([own.into()].into_iter().chain(field));
                    out.extend(code::iterated());
                } else {
                    out.push(own.into());
                }
            }
            TokenTree::Group(g) => out.push(regrouped(&g, renamed(g.stream(), name))),
            tree => out.push(tree),
        }
    }
    out.into_iter().collect()
}

/// The first place where an expression does what passive code must not do.
pub(super) fn effect(e: &syn::Expr) -> Option<Extent> {
    let mut found = None;
    walk::read(Node::Expr(e), &mut |node| {
        let Node::Expr(e) = node else {
            return Onward::Into;
        };
        let effect = match e {
            syn::Expr::Assign(_)
            | syn::Expr::Await(_)
            | syn::Expr::Async(_)
            | syn::Expr::Break(_)
            | syn::Expr::Continue(_)
            | syn::Expr::Return(_)
            | syn::Expr::Try(_)
            | syn::Expr::Unsafe(_)
            | syn::Expr::Yield(_) => true,
            syn::Expr::Reference(r) => r.mutability.is_some(),
            syn::Expr::Binary(b) => crate::walk::is_assignment(&b.op),
            _ => false,
        };
        if !effect {
            return Onward::Into;
        }
        found = Some(e.extent());
        Onward::Found
    });
    found
}

impl Expr {
    /// Whether an error was noted in its place.
    pub(super) fn is_refused(&self) -> bool {
        matches!(self.kind, Kind::Refused)
    }
}
