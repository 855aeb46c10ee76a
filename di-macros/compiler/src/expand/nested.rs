//! Functions that stand in the body of a differentiable one: each gets a handle of its own beside that of
//! the function around it.

use crate::lower::methods::Nested;
use proc_macro2::{Ident, Span};
use quote::format_ident;
use std::collections::BTreeMap;

/// The functions in the outermost block, by name.
pub(super) fn nested_in(function: &syn::ItemFn) -> BTreeMap<String, Nested> {
    let mut found = BTreeMap::new();
    for stmt in &function.block.stmts {
        if let syn::Stmt::Item(syn::Item::Fn(f)) = stmt {
            let name = f.sig.ident.to_string().trim_start_matches("r#").to_owned();
            let handle = handle_name(&function.sig.ident, &name, f.sig.ident.span());
            let item = plain(f);
            found.insert(name, Nested { handle, item });
        }
    }
    found
}

fn handle_name(outer: &Ident, name: &str, span: Span) -> Ident {
    let span = Span::call_site().located_at(span);
    format_ident!(
        "__{}_{}",
        outer.to_string().trim_start_matches("r#"),
        name,
        span = span
    )
}

/// The function without our attribute.
fn plain(f: &syn::ItemFn) -> syn::ItemFn {
    let mut f = f.clone();
    f.attrs.retain(|a| {
        a.path()
            .segments
            .last()
            .is_none_or(|s| s.ident != "differentiable")
    });
    f
}

/// One of them as a function of its own: under the name of its handle, with the constants and imports
/// around it, and with all of them in its body.
pub(super) fn on_its_own(outer: &syn::ItemFn, nested: &Nested) -> syn::ItemFn {
    let mut own = nested.item.clone();
    let names: Vec<String> = own.block.stmts.iter().filter_map(item_name).collect();
    let around = outer.block.stmts.iter().filter(|s| match s {
        syn::Stmt::Item(syn::Item::Const(_) | syn::Item::Use(_) | syn::Item::Fn(_)) => {
            item_name(s).is_none_or(|name| !names.contains(&name))
        }
        _ => false,
    });
    let mut stmts: Vec<syn::Stmt> = around
        .map(|s| match s {
            syn::Stmt::Item(syn::Item::Fn(f)) => syn::Stmt::Item(syn::Item::Fn(plain(f))),
            other => other.clone(),
        })
        .collect();
    stmts.append(&mut own.block.stmts);
    own.block.stmts = stmts;
    own.sig.ident = nested.handle.clone();
    own.vis = syn::Visibility::Inherited;
    own
}

fn item_name(stmt: &syn::Stmt) -> Option<String> {
    match stmt {
        syn::Stmt::Item(syn::Item::Const(c)) => Some(c.ident.to_string()),
        syn::Stmt::Item(syn::Item::Fn(f)) => Some(f.sig.ident.to_string()),
        _ => None,
    }
}
