//! Calls of macros that `macro_rules!` declares in the function, in the annotated module or before it in its file. They
//! are expanded before anything else is read, as rustc does it: a name that the body of a macro binds is another one
//! than the same name at the call.

mod names;
mod rules;

use crate::lower::aliases::macros_at;
use crate::sorted::{Map, Set};
use crate::template::parse_quote;
use crate::walk::{self, Node, NodeMut, Onward};
use names::{Expanded, names_bound, names_of};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use rules::Rules;
use syn::parse::{ParseStream, Parser};

/// How deep calls may stand in what others become.
const DEEP: usize = 64;

/// Macros that are left as they are.
const OF_STD: [&str; 20] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprintln",
    "format",
    "matches",
    "panic",
    "print",
    "println",
    "s",
    "todo",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Names of `OF_STD` that the file gives macros of its own.
fn hidden_at(at: Span) -> Vec<String> {
    let names = macros_at(at).map(|(name, _)| name);
    names.filter(|name| OF_STD.contains(&&**name)).collect()
}

/// Whether there may be such calls.
fn has_calls(root: Node<'_>, hidden: &[String]) -> bool {
    fn calls(tokens: &TokenStream, is_of_std: &dyn Fn(&Ident) -> bool) -> bool {
        let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
        let is_call = |pair: &[TokenTree]| match pair {
            [TokenTree::Ident(name), TokenTree::Punct(p)] => p.as_char() == '!' && !is_of_std(name),
            _ => false,
        };
        trees.windows(2).any(is_call)
            || trees
                .iter()
                .any(|tree| matches!(tree, TokenTree::Group(g) if calls(&g.stream(), is_of_std)))
    }
    let is_of_std = |name: &Ident| {
        OF_STD.iter().any(|of_std| name == of_std) && !hidden.iter().any(|own| name == own)
    };
    walk::any(root, &mut |node| match node {
        Node::Macro(m) => {
            !m.path.get_ident().is_some_and(is_of_std) || calls(&m.tokens, &is_of_std)
        }
        _ => false,
    })
}

/// A function as it is without such calls, if it has some.
pub(super) fn in_function(function: &syn::ItemFn) -> Option<syn::ItemFn> {
    let at = function.sig.ident.span();
    let hidden = hidden_at(at);
    if !has_calls(Node::Function(function), &hidden) {
        return None;
    }
    let mut expanded = function.clone();
    let mut macros = Macros::new(at, hidden);
    macros.sees_file = true;
    macros.locals = names_of(Node::Function(function));
    macros.change(NodeMut::Function(&mut expanded));
    (macros.number > 0).then_some(expanded)
}

/// The same of a block of methods.
pub(super) fn in_block(block: &syn::ItemImpl) -> Option<syn::ItemImpl> {
    let mut item = syn::Item::Impl(block.clone());
    let at = block.impl_token.span;
    let hidden = hidden_at(at);
    if !has_calls(Node::Item(&item), &hidden) {
        return None;
    }
    let mut macros = Macros::new(at, hidden);
    macros.sees_file = true;
    macros.locals = names_of(Node::Item(&item));
    macros.change(NodeMut::Item(&mut item));
    match item {
        syn::Item::Impl(expanded) if macros.number > 0 => Some(expanded),
        _ => None,
    }
}

/// Expands the calls in the items of a module. `at` is a token of it.
pub(super) fn in_module(items: &mut Vec<syn::Item>, at: Span) {
    let hidden = hidden_at(at);
    if !items
        .iter()
        .any(|item| has_calls(Node::Item(item), &hidden))
    {
        return;
    }
    let mut macros = Macros::new(at, hidden);
    macros.items(items);
    if macros.number == 0 {
        return;
    }
    // rustc would say that they are unused
    for item in items {
        if let syn::Item::Macro(m) = item
            && m.ident.is_some()
        {
            m.attrs.push(parse_quote!(#[allow(unused_macros)]));
        }
    }
}

/// What an item declares by `macro_rules!`.
fn declared(item: &syn::Item) -> Option<(&Ident, &syn::ItemMacro)> {
    match item {
        syn::Item::Macro(m) if m.mac.path.is_ident("macro_rules") => Some((m.ident.as_ref()?, m)),
        _ => None,
    }
}

struct Macros {
    /// A token of the item.
    at: Span,
    /// Whether the macros of its file may be called. Not in a module, but for those that are named as macros of std: rustc
    /// would take those for unused that nothing else calls.
    sees_file: bool,
    /// Macros of its file that are named as macros of std.
    hidden: Vec<String>,
    known: Map<String, Option<Declared>>,
    /// Names that are bound in the function.
    locals: Set<String>,
    /// How many calls were replaced.
    number: usize,
    depth: usize,
}

/// A macro that is known.
#[derive(Clone)]
struct Declared {
    rules: Rules,
    /// If a function declares it, names that are bound after that: in its body they are others.
    bound_after: Option<Set<String>>,
}

impl Macros {
    fn new(at: Span, hidden: Vec<String>) -> Macros {
        Macros {
            at,
            sees_file: false,
            hidden,
            known: Map::new(),
            locals: Set::new(),
            number: 0,
            depth: 0,
        }
    }

    /// Knows the macro from here on, if the item declares one.
    fn declare(&mut self, item: &syn::Item, bound_after: Option<&[syn::Stmt]>) -> bool {
        let Some((name, m)) = declared(item) else {
            return false;
        };
        let bound_after = bound_after.map(names_bound);
        let found = Rules::new(m.mac.tokens.clone()).map(|rules| Declared { rules, bound_after });
        let is_read = found.is_some();
        self.known.insert(name.to_string(), found);
        is_read
    }

    /// The rules of a macro, which its file may have.
    fn rules(&mut self, name: &str) -> Option<Declared> {
        let hides = self.hidden.iter().any(|own| own == name);
        let is_elsewhere = hides || self.sees_file && !OF_STD.contains(&name);
        if is_elsewhere && !self.known.contains_key(name) {
            self.known.insert(name.to_owned(), None);
            let found = macros_at(self.at).find(|(own, _)| own == name);
            let item = found.and_then(|(_, text)| syn::parse_str::<syn::Item>(&text).ok());
            if let Some(item) = item {
                self.declare(&respanned(item, self.at), None);
            }
        }
        self.known.get(name)?.clone()
    }

    fn expanded(&mut self, mac: &syn::Macro, is_item: bool) -> Option<Expanded> {
        let name = mac.path.get_ident()?.to_string();
        let Declared { rules, bound_after } = self.rules(&name)?;
        if self.depth > DEEP {
            return None;
        }
        let mark = format!("_of_{name}_{}", self.number);
        let own = |tree: &TokenTree| match tree {
            TokenTree::Ident(name) if !is_item => names::marked(name, &mark).into(),
            TokenTree::Literal(of) if !is_item => names::marked_text(of, &mark).into(),
            tree => tree.clone(),
        };
        let tokens = rules.expanded(mac.tokens.clone(), &own)?;
        self.number += 1;
        Some(Expanded {
            tokens,
            mark,
            hidden: bound_after.unwrap_or_else(|| self.locals.clone()),
        })
    }

    fn deeper(&mut self, root: NodeMut<'_>) {
        self.depth += 1;
        self.change(root);
        self.depth -= 1;
    }

    fn change(&mut self, root: NodeMut<'_>) {
        walk::change(root, &mut |node| match node {
            NodeMut::Block(block) => {
                self.block(block);
                Onward::Over
            }
            NodeMut::Expr(e) => self.expr(e),
            NodeMut::Item(item) => self.item(item),
            NodeMut::Macro(m) => {
                m.tokens = self.arguments(m.tokens.clone());
                self.name_apart(&mut m.path);
                Onward::Over
            }
            _ => Onward::Into,
        });
    }

    /// Where one's own macro has the name of one of std, and its rules are not read, the call is not taken for that of std.
    fn name_apart(&self, path: &mut syn::Path) {
        let Some(name) = path.get_ident().map(ToString::to_string) else {
            return;
        };
        let is_own = self.known.contains_key(&name) || self.hidden.contains(&name);
        if OF_STD.contains(&&*name) && is_own {
            let own = parse_quote!(self);
            path.segments.insert(0, own);
        }
    }

    /// A macro is known behind its declaration, up to the end of the block.
    fn block(&mut self, block: &mut syn::Block) {
        let is_macro =
            |stmt: &syn::Stmt| matches!(stmt, syn::Stmt::Item(item) if declared(item).is_some());
        let before = block.stmts.iter().any(is_macro).then(|| self.known.clone());
        let mut stmts = Vec::new();
        let mut rest = std::mem::take(&mut block.stmts).into_iter();
        while let Some(mut stmt) = rest.next() {
            if let syn::Stmt::Macro(m) = &stmt
                && let Some(found) = self.expanded(&m.mac, false)
                && let Ok(mut of_macro) = syn::Block::parse_within.parse2(found.tokens.clone())
            {
                if let (Some(syn::Stmt::Expr(_, semi)), Some(own)) =
                    (of_macro.last_mut(), m.semi_token)
                {
                    semi.get_or_insert(own);
                }
                let bound = found.bound(&of_macro);
                for stmt in &mut of_macro {
                    found.settle(NodeMut::Stmt(stmt), &bound);
                    ungroup(NodeMut::Stmt(stmt));
                }
                let mut of_macro = syn::Block {
                    stmts: of_macro,
                    ..parse_quote!({})
                };
                self.deeper(NodeMut::Block(&mut of_macro));
                stmts.extend(of_macro.stmts);
                continue;
            }
            if let syn::Stmt::Item(item) = &stmt
                && self.declare(item, Some(rest.as_slice()))
            {
                continue;
            }
            self.change(NodeMut::Stmt(&mut stmt));
            stmts.push(stmt);
        }
        block.stmts = stmts;
        if let Some(before) = before {
            self.known = before;
        }
    }

    fn expr(&mut self, e: &mut syn::Expr) -> Onward {
        if let syn::Expr::Macro(m) = e
            && let Some(of_macro) = self.value(&m.mac)
        {
            *e = of_macro;
            return Onward::Over;
        }
        Onward::Into
    }

    /// What a call becomes where a value stands.
    fn value(&mut self, mac: &syn::Macro) -> Option<syn::Expr> {
        let found = self.expanded(mac, false)?;
        let parse = |input: ParseStream<'_>| {
            let value: syn::Expr = input.parse()?;
            input.parse::<Option<syn::Token![;]>>()?;
            Ok(value)
        };
        let value = parse.parse2(found.tokens.clone()).ok()?;
        let mut value = syn::Expr::Paren(syn::ExprParen {
            attrs: Vec::new(),
            paren_token: Default::default(),
            expr: Box::new(value),
        });
        let bound = found.bound(&[syn::Stmt::Expr(value.clone(), None)]);
        found.settle(NodeMut::Expr(&mut value), &bound);
        ungroup(NodeMut::Expr(&mut value));
        self.deeper(NodeMut::Expr(&mut value));
        match value {
            syn::Expr::Paren(p) if stands_alone(&p.expr) => Some(*p.expr),
            value => Some(value),
        }
    }

    fn item(&mut self, item: &mut syn::Item) -> Onward {
        match item {
            syn::Item::Macro(_) => return Onward::Over,
            syn::Item::Mod(syn::ItemMod { content, .. }) => {
                if let Some((_, items)) = content {
                    let before = self.known.clone();
                    self.items(items);
                    self.known = before;
                }
                return Onward::Over;
            }
            syn::Item::Impl(block) => {
                let mut all = Vec::new();
                for item in std::mem::take(&mut block.items) {
                    let parse = |input: ParseStream<'_>| {
                        let mut items = Vec::new();
                        while !input.is_empty() {
                            items.push(input.parse::<syn::ImplItem>()?);
                        }
                        Ok(items)
                    };
                    match &item {
                        syn::ImplItem::Macro(m)
                            if let Some(found) = self.expanded(&m.mac, true)
                                && let Ok(items) = parse.parse2(found.tokens.clone()) =>
                        {
                            all.extend(items);
                        }
                        _ => all.push(item),
                    }
                }
                block.items = all;
            }
            _ => {}
        }
        Onward::Into
    }

    fn items(&mut self, items: &mut Vec<syn::Item>) {
        let mut all = Vec::new();
        for mut item in std::mem::take(items) {
            if let syn::Item::Macro(m) = &item
                && m.ident.is_none()
                && let Some(found) = self.expanded(&m.mac, true)
                && let Ok(mut file) = syn::parse2::<syn::File>(found.tokens)
            {
                self.depth += 1;
                for item in &mut file.items {
                    ungroup(NodeMut::Item(item));
                }
                self.items(&mut file.items);
                self.depth -= 1;
                all.extend(file.items);
                continue;
            }
            self.declare(&item, None);
            self.locals = names_of(Node::Item(&item));
            self.change(NodeMut::Item(&mut item));
            all.push(item);
        }
        *items = all;
    }

    /// The arguments of a macro of others, where each call stands for a value.
    fn arguments(&mut self, tokens: TokenStream) -> TokenStream {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut changed = TokenStream::new();
        let mut rest = &trees[..];
        while let Some((first, after)) = rest.split_first() {
            rest = after;
            if let (TokenTree::Ident(name), [TokenTree::Punct(p), TokenTree::Group(g), after @ ..]) =
                (first, rest)
                && p.as_char() == '!'
            {
                let tokens = g.stream();
                let mac: syn::Macro = parse_quote!(#name!(#tokens));
                if let Some(value) = self.value(&mac) {
                    value.to_tokens(&mut changed);
                    rest = after;
                    continue;
                }
            }
            match first {
                TokenTree::Group(g) => {
                    let mut group = Group::new(g.delimiter(), self.arguments(g.stream()));
                    group.set_span(g.span());
                    group.to_tokens(&mut changed);
                }
                tree => tree.to_tokens(&mut changed),
            }
        }
        changed
    }
}

/// Puts parentheses around what a macro was given, where operators need them, and nothing elsewhere.
fn ungroup(root: NodeMut<'_>) {
    let operand = |e: &mut Box<syn::Expr>| {
        if let syn::Expr::Group(g) = &mut **e
            && !stands_alone(&g.expr)
        {
            let inner = std::mem::replace(&mut *g.expr, parse_quote!(_));
            **e = parse_quote!((#inner));
        }
    };
    walk::change(root, &mut |node| {
        let NodeMut::Expr(e) = node else {
            return Onward::Into;
        };
        while let syn::Expr::Group(g) = e {
            *e = std::mem::replace(&mut *g.expr, parse_quote!(_));
        }
        match e {
            syn::Expr::Binary(b) => {
                operand(&mut b.left);
                operand(&mut b.right);
            }
            syn::Expr::Call(c) => operand(&mut c.func),
            syn::Expr::Cast(c) => operand(&mut c.expr),
            syn::Expr::Field(f) => operand(&mut f.base),
            syn::Expr::Index(i) => operand(&mut i.expr),
            syn::Expr::MethodCall(m) => operand(&mut m.receiver),
            syn::Expr::Range(r) => {
                r.start.iter_mut().for_each(operand);
                r.end.iter_mut().for_each(operand);
            }
            syn::Expr::Reference(r) => operand(&mut r.expr),
            syn::Expr::Try(t) => operand(&mut t.expr),
            syn::Expr::Unary(u) => operand(&mut u.expr),
            _ => {}
        }
        Onward::Into
    });
}

/// Whether an expression is one operand.
fn stands_alone(e: &syn::Expr) -> bool {
    matches!(
        e,
        syn::Expr::Array(_)
            | syn::Expr::Block(_)
            | syn::Expr::Call(_)
            | syn::Expr::Lit(_)
            | syn::Expr::MethodCall(_)
            | syn::Expr::Paren(_)
            | syn::Expr::Path(_)
            | syn::Expr::Tuple(_)
    )
}

/// An item with the place of another: what is read from a file has none that rustc knows.
fn respanned(item: syn::Item, at: Span) -> syn::Item {
    fn at_place(tokens: TokenStream, at: Span) -> TokenStream {
        let each = tokens.into_iter().map(|tree| {
            let mut tree = match tree {
                TokenTree::Group(g) => {
                    TokenTree::Group(Group::new(g.delimiter(), at_place(g.stream(), at)))
                }
                tree => tree,
            };
            tree.set_span(at);
            tree
        });
        each.collect()
    }
    match item {
        syn::Item::Macro(mut m) => {
            m.mac.tokens = at_place(m.mac.tokens, at);
            syn::Item::Macro(m)
        }
        item => item,
    }
}
