//! Functions that stand in the body of a differentiable one, in whichever block: each gets a handle of its own
//! beside that of the function around it, and is told which by a mark.

use crate::options::{self, NESTED};
use proc_macro2::{Ident, Span};
use quote::format_ident;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::Visit;
use syn::visit_mut::VisitMut;

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
        outer: plain_name(&function.sig.ident),
        times: BTreeMap::new(),
        around: Vec::new(),
        found: Vec::new(),
    };
    marks.visit_block_mut(&mut function.block);
    marks.found
}

struct Marks {
    /// Variables of the functions around, by function.
    variables: Vec<BTreeSet<String>>,
    outer: String,
    /// How often a name occurred.
    times: BTreeMap<String, usize>,
    /// Items of the open blocks.
    around: Vec<syn::Item>,
    found: Vec<Nested>,
}

impl VisitMut for Marks {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let before = self.around.len();
        for stmt in &mut block.stmts {
            if let syn::Stmt::Item(item) = stmt {
                if let syn::Item::Fn(f) = item {
                    self.mark(f);
                }
                match item {
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
                self.visit_block_mut(&mut f.block);
                self.variables.pop();
                let (item, around) = (plain(f), around.clone());
                self.found.push(Nested {
                    item,
                    around,
                    captures,
                });
            } else {
                self.visit_stmt_mut(stmt);
            }
        }
        self.around.truncate(before);
    }

    // what stands in other items belongs to them
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl Marks {
    /// Gives the function the name of its handle.
    fn mark(&mut self, f: &mut syn::ItemFn) {
        let name = plain_name(&f.sig.ident);
        let times = self.times.entry(name.clone()).or_default();
        *times += 1;
        let name = match *times {
            1 => name,
            n => format!("{name}_{n}"),
        };
        let span = Span::call_site().located_at(f.sig.ident.span());
        let handle = format_ident!("__{}_{}", self.outer, name, span = span);
        let mark = Ident::new(NESTED, Span::call_site());
        f.attrs.push(syn::parse_quote!(#[#mark(#handle)]));
    }
}

fn plain_name(name: &Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

/// Whether a function names one of these variables, and nothing of its own is called so.
fn captures(f: &syn::ItemFn, variables: &[BTreeSet<String>]) -> bool {
    let mut own = Names::default();
    own.visit_item_fn(f);
    let mut free = own.used.difference(&own.bound);
    free.any(|name| variables.iter().any(|v| v.contains(name)))
}

/// Variables of a function, in whichever block.
fn variables(f: &syn::ItemFn) -> BTreeSet<String> {
    let mut found = Variables::default();
    found.visit_item_fn(f);
    found.0
}

#[derive(Default)]
struct Variables(BTreeSet<String>);

impl<'ast> Visit<'ast> for Variables {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        let name = p.ident.to_string();
        // `None` is none
        if !name.starts_with(char::is_uppercase) {
            self.0.insert(name);
        }
        syn::visit::visit_pat_ident(self, p);
    }

    // what stands in other items belongs to them
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Names that patterns, items and macros bring, and those that expressions use.
#[derive(Default)]
struct Names {
    bound: BTreeSet<String>,
    used: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Names {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.bound.insert(p.ident.to_string());
        syn::visit::visit_pat_ident(self, p);
    }

    fn visit_expr_path(&mut self, p: &'ast syn::ExprPath) {
        if let Some(name) = p.path.get_ident() {
            self.used.insert(name.to_string());
        }
    }

    fn visit_const_param(&mut self, p: &'ast syn::ConstParam) {
        self.bound.insert(p.ident.to_string());
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        let mut names = Idents(&mut self.bound);
        names.visit_item(item);
    }
}

/// All identifiers of an item.
struct Idents<'a>(&'a mut BTreeSet<String>);

impl<'ast> Visit<'ast> for Idents<'_> {
    fn visit_ident(&mut self, ident: &'ast Ident) {
        self.0.insert(ident.to_string());
    }
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
