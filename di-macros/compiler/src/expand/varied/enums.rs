//! Enums that hold what varies: those that are derived, those of which some function makes a value of what varies, and
//! those with floats that are parameters, or fields of structs, that may vary. Others are data. Errors with floats are among
//! them if some function looks into one.

use super::flow::Flow;
use super::held::{Held, is_list_of_tuples};
use super::{Callee, Table, speaks_of};
use crate::expand::structs::is_derived;
use crate::lower::arguments;
use crate::sorted::Set;
use crate::symbol::is_objects;
use crate::tokens::unraw;
use crate::walk::{self, Node, Onward};
use quote::ToTokens;

pub(super) fn of(items: &[syn::Item], table: &Table, flows: &[Flow]) -> Set<String> {
    let mut found = Set::new();
    for item in items {
        if let syn::Item::Enum(e) = item {
            let mut callees = table.callees.iter().zip(flows);
            if is_derived(&e.attrs)
                || is_objects(&e.ident)
                || !is_error(&unraw(&e.ident), items)
                    && callees.any(|(callee, flow)| makes(callee, flow, e))
            {
                found.insert(unraw(&e.ident));
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
        syn::Item::Struct(s) if held.is_other(&unraw(&s.ident)) => Some(&s.fields),
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
        syn::Item::Enum(e) if !known.contains(&unraw(&e.ident)) => Some(e),
        _ => None,
    });
    let is_within = |e: &&syn::ItemEnum| {
        let name = unraw(&e.ident);
        let mut may_vary = |word: &str| word == "f64" || word == "f32" || held.is_other(word);
        let mut is_it = |word: &str| word == name;
        let mut callees = table.callees.iter();
        speaks(&e.variants, &mut may_vary)
            && match is_error(&name, items) {
                true => callees.any(|callee| looks_into(callee, e, &mut may_vary)),
                false => places.iter().any(|ty| speaks(ty, &mut is_it)),
            }
            && !(e.variants.iter().flat_map(|v| &v.fields))
                .any(|f| held.is_foreign(&f.ty) && !is_list_of_tuples(&f.ty))
    };
    enums.filter(is_within).map(|e| unraw(&e.ident)).collect()
}

fn speaks(of: &impl ToTokens, is: &mut dyn FnMut(&str) -> bool) -> bool {
    speaks_of(of.to_token_stream(), is)
}

/// Whether this is the error of some result.
fn is_error(name: &str, items: &[syn::Item]) -> bool {
    let is_it = |ty: &syn::Type| speaks(ty, &mut |word| word == name);
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
    let is_variant =
        |path: &syn::Path| is_variant(path, callee, of, &|v: &syn::Variant| !v.fields.is_empty());
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

/// Whether a path is that of a variant.
fn is_variant(
    path: &syn::Path,
    callee: &Callee,
    of: &syn::ItemEnum,
    is: &dyn Fn(&syn::Variant) -> bool,
) -> bool {
    let name = unraw(&of.ident);
    let is_own = callee.owner.as_ref() == Some(&name);
    let mut names = path.segments.iter().rev().map(|s| unraw(&s.ident));
    let variant = names.next();
    let mut all = of.variants.iter().filter(|v| is(v));
    let is_one = all.any(|v| Some(unraw(&v.ident)) == variant);
    // by itself where its enum is imported
    let is_of_it = names
        .next()
        .is_none_or(|owner| owner == name || is_own && owner == "Self");
    is_one && is_of_it
}

/// Whether a function of what may vary has a pattern that looks for one of the variants.
fn looks_into(callee: &Callee, of: &syn::ItemEnum, may_vary: &mut dyn FnMut(&str) -> bool) -> bool {
    let types = callee.inputs.iter().map(|input| &input.ty);
    let mut types = types.chain(&callee.output);
    let is_variant = |path: &syn::Path| is_variant(path, callee, of, &|_| true);
    types.any(|ty| speaks(ty, may_vary))
        && walk::any(Node::Block(&callee.block), &mut |node| match node {
            Node::Pat(syn::Pat::TupleStruct(p)) => is_variant(&p.path),
            Node::Pat(syn::Pat::Struct(p)) => is_variant(&p.path),
            Node::Pat(syn::Pat::Path(p)) => is_variant(&p.path),
            Node::Pat(syn::Pat::Ident(p)) => is_variant(&p.ident.clone().into()),
            _ => false,
        })
}
