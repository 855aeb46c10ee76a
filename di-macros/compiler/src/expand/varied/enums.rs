//! Enums that hold what varies: those that are derived, those of which some function makes a value of what varies, and
//! those with floats that are parameters, or fields of structs, that may vary. Others are data.

use super::flow::Flow;
use super::held::{Held, is_list_of_tuples};
use super::{Callee, Table, plain, speaks_of};
use crate::expand::structs::is_derived;
use crate::lower::arguments;
use crate::sorted::Set;
use crate::walk::{self, Node, Onward};
use quote::ToTokens;

pub(super) fn of(items: &[syn::Item], table: &Table, flows: &[Flow]) -> Set<String> {
    let mut found = Set::new();
    for item in items {
        if let syn::Item::Enum(e) = item {
            let mut callees = table.callees.iter().zip(flows);
            if is_derived(&e.attrs)
                || !is_error(&plain(&e.ident), items)
                    && callees.any(|(callee, flow)| makes(callee, flow, e))
            {
                found.insert(plain(&e.ident));
            }
        }
    }
    found
}

/// Enums with floats in parameters and in fields of structs that may vary, which are not among those.
pub(super) fn within(
    items: &[syn::Item],
    table: &Table,
    held: &Held,
    known: &Set<String>,
) -> Vec<String> {
    let around = items.iter().filter_map(|item| match item {
        syn::Item::Struct(s) if held.is_other(&plain(&s.ident)) => Some(&s.fields),
        _ => None,
    });
    let is_marked = |f: &syn::Field| f.attrs.iter().any(|a| a.path().is_ident("constant"));
    let fields = around.flatten().filter(|f| !is_marked(f)).map(|f| &f.ty);
    let roots = table.callees.iter().filter(|callee| callee.is_root);
    // A method of an enum that is data does not make it a parameter.
    let inputs =
        roots.flat_map(|callee| callee.inputs.iter().skip(usize::from(callee.has_receiver)));
    let inputs = inputs
        .filter(|input| !input.is_marked)
        .map(|input| &input.ty);
    let places: Vec<&syn::Type> = fields.chain(inputs).collect();
    let enums = items.iter().filter_map(|item| match item {
        syn::Item::Enum(e) if !known.contains(&plain(&e.ident)) => Some(e),
        _ => None,
    });
    let is_within = |e: &&syn::ItemEnum| {
        let name = plain(&e.ident);
        let mut is_float = |word: &str| word == "f64" || word == "f32" || held.is_other(word);
        e.variants
            .iter()
            .any(|v| speaks_of(v.fields.to_token_stream(), &mut is_float))
            && places
                .iter()
                .any(|ty| speaks_of(ty.to_token_stream(), &mut |word| word == name))
            && !e
                .variants
                .iter()
                .flat_map(|v| &v.fields)
                .any(|f| held.is_foreign(&f.ty) && !is_list_of_tuples(&f.ty))
            && !is_error(&name, items)
    };
    enums.filter(is_within).map(|e| plain(&e.ident)).collect()
}

/// Whether this is the error of some result: nobody differentiates it.
fn is_error(name: &str, items: &[syn::Item]) -> bool {
    let is_it = |ty: &syn::Type| speaks_of(ty.to_token_stream(), &mut |word| word == name);
    let mut is_in = |node: Node<'_>| match node {
        Node::Type(syn::Type::Path(p)) => {
            let is_result = p.path.segments.last().is_some_and(|s| s.ident == "Result");
            is_result && arguments(&p.path).get(1).is_some_and(|ty| is_it(ty))
        }
        _ => false,
    };
    items
        .iter()
        .any(|item| walk::any(Node::Item(item), &mut is_in))
}

/// Whether a function makes such a value of what varies.
fn makes(callee: &Callee, flow: &Flow, of: &syn::ItemEnum) -> bool {
    let name = plain(&of.ident);
    let is_own = callee.owner.as_ref() == Some(&name);
    let is_variant = |path: &syn::Path| {
        let mut names = path.segments.iter().rev().map(|s| plain(&s.ident));
        let variant = names.next();
        let is_one = of
            .variants
            .iter()
            .any(|v| !v.fields.is_empty() && Some(plain(&v.ident)) == variant);
        // by itself where its enum is imported
        let is_of_it = names
            .next()
            .is_none_or(|owner| owner == name || is_own && owner == "Self");
        is_one && is_of_it
    };
    let is_path = |e: &syn::Expr| matches!(e, syn::Expr::Path(p) if is_variant(&p.path));
    walk::read(Node::Block(&callee.block), &mut |node| {
        let is_made = match node {
            Node::Expr(syn::Expr::Struct(s)) => {
                is_variant(&s.path) && s.fields.iter().any(|f| flow.depends(&f.expr))
            }
            Node::Expr(syn::Expr::Call(c)) => {
                is_path(&c.func) && c.args.iter().any(|arg| flow.depends(arg))
            }
            // `x.iter().map(Law::Linear)`
            Node::Expr(syn::Expr::MethodCall(m)) => {
                m.args.iter().any(is_path) && flow.depends(&m.receiver)
            }
            _ => false,
        };
        match is_made {
            true => Onward::Found,
            false => Onward::Into,
        }
    })
}
