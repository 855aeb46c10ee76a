//! Structs that borrow what varies: those that some function makes of what varies. The functions that only take and
//! return such a struct do not tell: it may be data, for which they are called from outside.

use super::flow::Flow;
use super::{Callee, Table, speaks_of};
use crate::expand::structs::is_derived;
use crate::lower::bundles::borrows;
use crate::sorted::Set;
use crate::tokens::unraw;
use crate::walk::{self, Node, Onward};
use quote::ToTokens;

pub(super) fn of(items: &[syn::Item], table: &Table, flows: &[Flow]) -> Set<String> {
    let (mut found, mut others) = (Set::new(), Set::new());
    for item in items {
        if let syn::Item::Struct(s) = item
            && borrows(&s.generics)
        {
            let kind = match is_derived(&s.attrs) {
                true => &mut found,
                false => &mut others,
            };
            kind.insert(s.ident.to_string());
        }
    }
    made(table, flows, others, found)
}

/// Those of `others` that some function makes of what varies, and those that are `found` already.
pub(super) fn made(
    table: &Table,
    flows: &[Flow],
    mut others: Set<String>,
    mut found: Set<String>,
) -> Set<String> {
    loop {
        let before = found.len();
        for (callee, flow) in table.callees.iter().zip(flows) {
            if !speaks_of_one(callee, &others) {
                let made = others
                    .iter()
                    .filter(|name| makes(callee, flow, table, name));
                found.extend(made.cloned().collect::<Vec<_>>());
            }
        }
        others.retain(|name| !found.contains(name));
        if found.len() == before {
            return found;
        }
    }
}

/// Those of some structs that a method changes by what varies.
pub(super) fn changed(table: &Table, flows: &[Flow], of: &Set<String>) -> Set<String> {
    let mut found = Set::new();
    for (callee, flow) in table.callees.iter().zip(flows) {
        walk::read(Node::Block(&callee.block), &mut |node| {
            if let Node::Expr(syn::Expr::MethodCall(m)) = node
                && m.args.iter().any(|arg| flow.depends(arg))
            {
                let called = table.named(&unraw(&m.method)).into_iter();
                let changing = called.map(|k| &table.callees[k]).filter(|c| {
                    c.has_receiver && c.inputs.first().is_some_and(|input| input.is_mutable)
                });
                let owners = changing.filter_map(|c| c.owner.as_ref());
                found.extend(owners.filter(|owner| of.contains(*owner)).cloned());
            }
            Onward::Into
        });
    }
    found
}

/// Whether a function takes or returns one of these structs, or belongs to it.
fn speaks_of_one(callee: &Callee, names: &Set<String>) -> bool {
    let types = callee.inputs.iter().map(|input| &input.ty);
    let speaks = |ty: &syn::Type| speaks_of(ty.to_token_stream(), &mut |word| names.contains(word));
    callee
        .owner
        .as_ref()
        .is_some_and(|owner| names.contains(owner))
        || types.chain(&callee.output).any(speaks)
}

/// Whether a function makes such a struct of what varies, itself or by a call.
fn makes(callee: &Callee, flow: &Flow, table: &Table, name: &str) -> bool {
    let gives = |called: &syn::Ident| {
        let of = table.named(&unraw(called)).into_iter();
        let mut results = of.filter_map(|k| table.callees[k].output.as_ref());
        results.any(|ty| speaks_of(ty.to_token_stream(), &mut |word| word == name))
    };
    let is_of = |path: &syn::Path| path.segments.iter().any(|s| s.ident == name);
    walk::read(Node::Block(&callee.block), &mut |node| {
        let is_made = match node {
            Node::Expr(syn::Expr::Struct(s)) => {
                is_of(&s.path) && s.fields.iter().any(|f| flow.depends(&f.expr))
            }
            Node::Expr(syn::Expr::Call(c)) => {
                matches!(&*c.func, syn::Expr::Path(p)
                    if is_of(&p.path) || p.path.segments.last().is_some_and(|s| gives(&s.ident)))
                    && c.args.iter().any(|arg| flow.depends(arg))
            }
            Node::Expr(syn::Expr::MethodCall(m)) => {
                // `chunks.map(Part::of)`
                let is_function = |arg: &syn::Expr| {
                    matches!(arg, syn::Expr::Path(p)
                        if p.path.segments.last().is_some_and(|s| gives(&s.ident)))
                };
                let makes = gives(&m.method) || m.args.iter().any(is_function);
                makes && (flow.depends(&m.receiver) || m.args.iter().any(|arg| flow.depends(arg)))
            }
            _ => false,
        };
        match is_made {
            true => Onward::Found,
            false => Onward::Into,
        }
    })
}
