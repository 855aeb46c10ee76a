//! Calls of macros that `macro_rules!` declares in the function, in the annotated module or before it in its file. They
//! are expanded before anything else is read, as rustc does it: a name that the body of a macro binds is another one
//! than the same name at the call.

mod rules;

use crate::lower::aliases::macro_at;
use crate::sorted::{Map, Set};
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
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

/// Whether there may be such calls.
fn has_calls(root: Node<'_>) -> bool {
    fn calls(tokens: &TokenStream) -> bool {
        let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
        let is_call = |pair: &[TokenTree]| match pair {
            [TokenTree::Ident(name), TokenTree::Punct(p)] => {
                p.as_char() == '!' && !OF_STD.iter().any(|of_std| name == of_std)
            }
            _ => false,
        };
        trees.windows(2).any(is_call)
            || trees
                .iter()
                .any(|tree| matches!(tree, TokenTree::Group(g) if calls(&g.stream())))
    }
    walk::any(root, &mut |node| match node {
        Node::Macro(m) => !OF_STD.iter().any(|name| m.path.is_ident(name)) || calls(&m.tokens),
        _ => false,
    })
}

/// A function as it is without such calls, if it has some.
pub(super) fn in_function(function: &syn::ItemFn) -> Option<syn::ItemFn> {
    if !has_calls(Node::Function(function)) {
        return None;
    }
    let mut expanded = function.clone();
    let mut macros = Macros::new(Some(function.sig.ident.span()));
    macros.change(NodeMut::Function(&mut expanded));
    (macros.number > 0).then_some(expanded)
}

/// The same of a block of methods.
pub(super) fn in_block(block: &syn::ItemImpl) -> Option<syn::ItemImpl> {
    let mut item = syn::Item::Impl(block.clone());
    if !has_calls(Node::Item(&item)) {
        return None;
    }
    let mut macros = Macros::new(Some(block.impl_token.span));
    macros.change(NodeMut::Item(&mut item));
    match item {
        syn::Item::Impl(expanded) if macros.number > 0 => Some(expanded),
        _ => None,
    }
}

/// Expands the calls in the items of a module.
pub(super) fn in_module(items: &mut Vec<syn::Item>) {
    if !items.iter().any(|item| has_calls(Node::Item(item))) {
        return;
    }
    let mut macros = Macros::new(None);
    macros.items(items);
    if macros.number == 0 {
        return;
    }
    // rustc would say that they are unused
    for item in items {
        if let syn::Item::Macro(m) = item
            && m.ident.is_some()
        {
            m.attrs.push(syn::parse_quote!(#[allow(unused_macros)]));
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
    /// A token of the item, if the macros of its file may be called. Not in a module: rustc would take those for unused
    /// that nothing else calls.
    at: Option<Span>,
    known: Map<String, Option<Rules>>,
    /// How many calls were replaced.
    number: usize,
    depth: usize,
}

impl Macros {
    fn new(at: Option<Span>) -> Macros {
        Macros {
            at,
            known: Map::new(),
            number: 0,
            depth: 0,
        }
    }

    fn declare(&mut self, item: &syn::Item) -> bool {
        let found = declared(item);
        if let Some((name, m)) = found {
            let rules = Rules::new(m.mac.tokens.clone());
            self.known.insert(name.to_string(), rules);
        }
        found.is_some()
    }

    /// The rules of a macro, which its file may have.
    fn rules(&mut self, name: &str) -> Option<Rules> {
        if OF_STD.contains(&name) && !self.known.contains_key(name) {
            return None;
        }
        if let (Some(at), false) = (self.at, self.known.contains_key(name)) {
            let text = macro_at(at, name);
            let item = text.and_then(|text| syn::parse_str::<syn::Item>(&text).ok());
            self.known.insert(name.to_owned(), None);
            if let Some(item) = item {
                self.declare(&respanned(item, at));
            }
        }
        self.known.get(name)?.clone()
    }

    /// What a call becomes, with the mark of the names that its macro writes.
    fn expanded(&mut self, mac: &syn::Macro, is_item: bool) -> Option<(TokenStream, String)> {
        let name = mac.path.get_ident()?.to_string();
        let rules = self.rules(&name)?;
        if self.depth > DEEP {
            return None;
        }
        let mark = format!("_of_{name}_{}", self.number);
        let own = |name: &Ident| {
            let text = name.to_string();
            let is_name = !is_item && text != "self" && syn::parse_str::<Ident>(&text).is_ok();
            match is_name {
                true => Ident::new(
                    &format!("{}{mark}", text.trim_start_matches("r#")),
                    name.span(),
                ),
                false => name.clone(),
            }
        };
        let tokens = rules.expanded(mac.tokens.clone(), &own)?;
        self.number += 1;
        Some((tokens, mark))
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
                Onward::Over
            }
            _ => Onward::Into,
        });
    }

    fn block(&mut self, block: &mut syn::Block) {
        (block.stmts).retain(|stmt| !matches!(stmt, syn::Stmt::Item(item) if self.declare(item)));
        let mut stmts = Vec::new();
        for mut stmt in std::mem::take(&mut block.stmts) {
            if let syn::Stmt::Macro(m) = &stmt
                && let Some((tokens, mark)) = self.expanded(&m.mac, false)
                && let Ok(mut of_macro) = syn::Block::parse_within.parse2(tokens)
            {
                if let (Some(syn::Stmt::Expr(_, semi)), Some(own)) =
                    (of_macro.last_mut(), m.semi_token)
                {
                    semi.get_or_insert(own);
                }
                let bound = bound(&of_macro, &mark);
                for stmt in &mut of_macro {
                    settle(NodeMut::Stmt(stmt), &mark, &bound);
                    ungroup(NodeMut::Stmt(stmt));
                    self.deeper(NodeMut::Stmt(stmt));
                }
                stmts.extend(of_macro);
                continue;
            }
            self.change(NodeMut::Stmt(&mut stmt));
            stmts.push(stmt);
        }
        block.stmts = stmts;
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
        let (tokens, mark) = self.expanded(mac, false)?;
        let parse = |input: ParseStream<'_>| {
            let value: syn::Expr = input.parse()?;
            input.parse::<Option<syn::Token![;]>>()?;
            Ok(value)
        };
        let value = parse.parse2(tokens).ok()?;
        let mut value = syn::Expr::Paren(syn::ExprParen {
            attrs: Vec::new(),
            paren_token: Default::default(),
            expr: Box::new(value),
        });
        let bound = bound(&[syn::Stmt::Expr(value.clone(), None)], &mark);
        settle(NodeMut::Expr(&mut value), &mark, &bound);
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
                    self.items(items);
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
                            if let Some((tokens, _)) = self.expanded(&m.mac, true)
                                && let Ok(items) = parse.parse2(tokens) =>
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
                && !self.declare(&item)
                && let Some((tokens, _)) = self.expanded(&m.mac, true)
                && let Ok(mut file) = syn::parse2::<syn::File>(tokens)
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
                let mac: syn::Macro = syn::parse_quote!(#name!(#tokens));
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
            let inner = std::mem::replace(&mut *g.expr, syn::parse_quote!(_));
            **e = syn::parse_quote!((#inner));
        }
    };
    walk::change(root, &mut |node| {
        let NodeMut::Expr(e) = node else {
            return Onward::Into;
        };
        while let syn::Expr::Group(g) = e {
            *e = std::mem::replace(&mut *g.expr, syn::parse_quote!(_));
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

/// The names with the mark that patterns bind.
fn bound(stmts: &[syn::Stmt], mark: &str) -> Set<String> {
    let each = stmts
        .iter()
        .flat_map(|stmt| walk::bound(Node::Stmt(stmt)))
        .map(|name| name.to_string());
    // what begins with a capital letter is a constant or a variant
    each.filter(|name| name.ends_with(mark) && !name.starts_with(char::is_uppercase))
        .collect()
}

/// Takes the mark from all names that are not bound.
fn settle(root: NodeMut<'_>, mark: &str, bound: &Set<String>) {
    let plain = |name: &mut Ident| {
        if let Some(text) = name.to_string().strip_suffix(mark) {
            *name = format_ident!("{text}", span = name.span());
        }
    };
    let member = |member: &mut syn::Member| {
        if let syn::Member::Named(name) = member {
            plain(name);
        }
    };
    walk::change(root, &mut |node| {
        match node {
            NodeMut::Expr(syn::Expr::Field(f)) => member(&mut f.member),
            NodeMut::Expr(syn::Expr::MethodCall(m)) => plain(&mut m.method),
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
            NodeMut::Macro(m) => {
                m.tokens = settled(m.tokens.clone(), mark, bound);
            }
            NodeMut::Ident(name) if !bound.contains(&name.to_string()) => plain(name),
            _ => {}
        }
        Onward::Into
    });
}

/// The same in the arguments of a macro.
fn settled(tokens: TokenStream, mark: &str, bound: &Set<String>) -> TokenStream {
    let mut is_member = false;
    let each = tokens.into_iter().map(|tree| {
        let was_member = is_member;
        is_member = matches!(&tree, TokenTree::Punct(p) if p.as_char() == '.') && !was_member;
        match tree {
            TokenTree::Group(g) => {
                let mut group = Group::new(g.delimiter(), settled(g.stream(), mark, bound));
                group.set_span(g.span());
                group.into()
            }
            TokenTree::Ident(name) => {
                let text = name.to_string();
                match text.strip_suffix(mark) {
                    Some(plain) if was_member || !bound.contains(&text) => {
                        Ident::new(plain, name.span()).into()
                    }
                    _ => name.into(),
                }
            }
            tree => tree,
        }
    });
    each.collect()
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
