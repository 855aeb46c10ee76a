//! Functions that stand in the body of a differentiable one, in whichever block: each gets a handle of its own
//! beside that of the function around it, and is told which by a mark.

use crate::options::{self, NESTED};
use crate::sorted::{Map, Set};
use crate::template::parse_quote;
use crate::tokens::unraw;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::{Ident, Span};
use quote::format_ident;

/// A function inside of another, with what it sees around it.
pub(super) struct Nested {
    pub(super) item: syn::ItemFn,
    /// Constants, imports and functions of the blocks around it, the outermost first.
    around: Vec<syn::Item>,
    /// It names a variable of the function around it, which rustc refuses.
    pub(super) captures: bool,
}

/// Marks all of them, those inside of each other included, and gives them back.
pub(super) fn mark(function: &mut syn::ItemFn) -> Vec<Nested> {
    let mut marks = Marks {
        variables: vec![variables(function)],
        outer: unraw(&function.sig.ident),
        times: Map::new(),
        around: Vec::new(),
        found: Vec::new(),
    };
    marks.block(&mut function.block);
    marks.found
}

struct Marks {
    /// Variables of the functions around, by function.
    variables: Vec<Set<String>>,
    outer: String,
    /// How often a name occurred.
    times: Map<String, usize>,
    /// Items of the open blocks.
    around: Vec<syn::Item>,
    found: Vec<Nested>,
}

impl Marks {
    fn block(&mut self, block: &mut syn::Block) {
        let before = self.around.len();
        for stmt in &mut block.stmts {
            if let syn::Stmt::Item(item) = stmt {
                if let syn::Item::Fn(f) = item {
                    self.mark(f);
                }
                match item {
                    // a length of a body that stands in place
                    syn::Item::Const(c) if matches!(*c.expr, syn::Expr::Infer(_)) => {}
                    syn::Item::Const(_) | syn::Item::Use(_) => self.around.push(item.clone()),
                    syn::Item::Fn(f) => self.around.push(syn::Item::Fn(plain(f))),
                    _ => {}
                }
            }
        }
        let around = self.around.clone();
        for stmt in &mut block.stmts {
            if let syn::Stmt::Item(syn::Item::Fn(f)) = stmt {
                let captures = captures(f, &self.variables);
                // those inside of it see what it sees
                self.variables.push(variables(f));
                self.block(&mut f.block);
                self.variables.pop();
                let (item, around) = (plain(f), around.clone());
                self.found.push(Nested {
                    item,
                    around,
                    captures,
                });
            } else {
                walk::change(NodeMut::Stmt(stmt), &mut |node| {
                    match node {
                        NodeMut::Block(block) => self.block(block),
                        // what stands in other items belongs to them
                        NodeMut::Item(_) => {}
                        _ => return Onward::Into,
                    }
                    Onward::Over
                });
            }
        }
        self.around.truncate(before);
    }

    /// Gives the function the name of its handle.
    fn mark(&mut self, f: &mut syn::ItemFn) {
        let name = unraw(&f.sig.ident);
        let times = self.times.get_or_default(name.clone());
        *times += 1;
        let name = match *times {
            1 => name,
            n => format!("{name}_{n}"),
        };
        let span = Span::call_site().located_at(f.sig.ident.span());
        let handle = format_ident!("__{}_{}", self.outer, name, span = span);
        let mark = Ident::new(NESTED, Span::call_site());
        f.attrs.push(parse_quote!(#[#mark(#handle)]));
    }
}

/// Whether a function names one of these variables, and nothing of its own is called so.
fn captures(f: &syn::ItemFn, variables: &[Set<String>]) -> bool {
    // what patterns, items and macros bring, and what expressions use
    let (mut bound, mut used) = (Set::new(), Set::new());
    walk::read(Node::Function(f), &mut |node| {
        match node {
            Node::Pat(syn::Pat::Ident(p)) => {
                bound.insert(p.ident.to_string());
                return Onward::Into;
            }
            Node::ExprPath(p) => used.extend(p.path.get_ident().map(Ident::to_string)),
            Node::GenericParam(syn::GenericParam::Const(p)) => {
                bound.insert(p.ident.to_string());
            }
            Node::Item(item) => {
                walk::read(Node::Item(item), &mut |node| {
                    if let Node::Ident(name) = node {
                        bound.insert(name.to_string());
                    }
                    Onward::Into
                });
            }
            _ => return Onward::Into,
        }
        Onward::Over
    });
    let mut free = used.difference(&bound);
    free.any(|name| variables.iter().any(|v| v.contains(name)))
}

/// Variables of a function, in whichever block.
fn variables(f: &syn::ItemFn) -> Set<String> {
    let mut found = Set::new();
    walk::read(Node::Function(f), &mut |node| {
        match node {
            Node::Pat(syn::Pat::Ident(p)) => {
                let name = p.ident.to_string();
                // `None` is none
                if !name.starts_with(char::is_uppercase) {
                    found.insert(name);
                }
            }
            // what stands in other items belongs to them
            Node::Item(_) => return Onward::Over,
            _ => {}
        }
        Onward::Into
    });
    found
}

/// The function without our attribute.
fn plain(f: &syn::ItemFn) -> syn::ItemFn {
    let mut f = f.clone();
    f.attrs.retain(|a| !options::is_ours(a));
    f
}

/// One of them as a function of its own: under the name of its handle, with what stands around it in its
/// body, but for what a block further in calls by the same name.
pub(super) fn on_its_own(nested: &Nested) -> syn::ItemFn {
    let mut own = nested.item.clone();
    let mut taken: Vec<String> = own.block.stmts.iter().filter_map(stmt_name).collect();
    let mut around = Vec::new();
    for item in nested.around.iter().rev() {
        match item_name(item) {
            Some(name) if taken.contains(&name) => continue,
            Some(name) => taken.push(name),
            None => {}
        }
        around.push(syn::Stmt::Item(item.clone()));
    }
    around.reverse();
    around.append(&mut own.block.stmts);
    own.block.stmts = around;
    if let Some(handle) = options::handle_of_nested(&own.attrs) {
        own.sig.ident = handle;
    }
    own.attrs.retain(|a| !a.path().is_ident(NESTED));
    own.vis = syn::Visibility::Inherited;
    own
}

fn stmt_name(stmt: &syn::Stmt) -> Option<String> {
    match stmt {
        syn::Stmt::Item(item) => item_name(item),
        _ => None,
    }
}

fn item_name(item: &syn::Item) -> Option<String> {
    match item {
        syn::Item::Const(c) => Some(c.ident.to_string()),
        syn::Item::Fn(f) => Some(f.sig.ident.to_string()),
        _ => None,
    }
}
