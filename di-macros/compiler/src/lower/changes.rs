//! Functions that change the length of a vector that they borrow, or the order of its rows, as far as their own code says.

use super::bundles::put_mark;
use super::types::ungroup;
use crate::sorted::Set;
use crate::tokens::unraw;
use crate::walk::{self, Node, Onward};
use quote::ToTokens;

/// The vector behind a parameter `&mut Vec<_>` of this name, if the function changes its length, or that of a row, or
/// moves its rows.
pub(super) fn changed_vector<'t>(
    ty: &'t syn::Type,
    name: &str,
    block: &syn::Block,
) -> Option<&'t syn::Type> {
    let vector = borrowed_vector(ungroup(ty))?;
    changes_length(block, name, has_rows(vector)).then_some(vector)
}

/// The vector of `&mut Vec<_>`.
pub(super) fn borrowed_vector(ty: &syn::Type) -> Option<&syn::Type> {
    match ty {
        syn::Type::Reference(r) if r.mutability.is_some() => {
            Some(ungroup(&r.elem)).filter(|ty| is_vector_path(ty))
        }
        _ => None,
    }
}

pub(super) fn is_vector_path(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Path(p) => p.path.segments.last().is_some_and(|s| s.ident == "Vec"),
        _ => false,
    }
}

/// Whether a vector is one of vectors.
pub(super) fn has_rows(vector: &syn::Type) -> bool {
    vector.to_token_stream().to_string().matches("Vec").count() > 1
}

/// Methods of vectors after which the length may be another.
pub(super) const RESIZING: [&str; 24] = [
    "append",
    "clear",
    "clone_from",
    "dedup",
    "dedup_by",
    "dedup_by_key",
    "drain",
    "extend",
    "extend_from_slice",
    "extend_from_within",
    "extract_if",
    "insert",
    "pop",
    "pop_if",
    "push",
    "remove",
    "resize",
    "resize_with",
    "retain",
    "retain_mut",
    "splice",
    "split_off",
    "swap_remove",
    "truncate",
];

/// Methods after which elements may stand in other places, as their names begin.
pub(super) const MOVING: [&str; 5] = ["reverse", "rotate_", "select_nth", "sort", "swap"];

/// Whether a method of vectors changes their lengths, or the order of their elements.
pub(super) fn changes_vector(method: &str) -> bool {
    RESIZING.contains(&method) || MOVING.iter().any(|of| method.starts_with(of))
}

/// Whether a function changes the length of a vector that it borrows by this name, or of a row of it, or moves its
/// rows, as far as its own code says.
fn changes_length(block: &syn::Block, name: &str, has_rows: bool) -> bool {
    let mut changes = Changes {
        names: vec![name.to_owned()],
        has_rows,
    };
    walk::read(Node::Block(block), &mut |node| changes.node(node))
}

struct Changes {
    /// The vector, and what is bound to it: `let w = v;`.
    names: Vec<String>,
    has_rows: bool,
}

impl Changes {
    /// `v`, `*v`, `&mut *v`
    fn is_vector(&self, e: &syn::Expr) -> bool {
        match e {
            syn::Expr::Path(p) => self.names.iter().any(|name| p.path.is_ident(name)),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.is_vector(&u.expr),
            syn::Expr::Reference(r) => self.is_vector(&r.expr),
            syn::Expr::Paren(p) => self.is_vector(&p.expr),
            syn::Expr::Group(g) => self.is_vector(&g.expr),
            _ => false,
        }
    }

    /// The vector, or a row: `v[i]`.
    fn is_resized(&self, e: &syn::Expr) -> bool {
        match e {
            syn::Expr::Index(i) if self.has_rows => self.is_vector(&i.expr),
            e => self.is_vector(e),
        }
    }

    fn node(&mut self, node: Node<'_>) -> Onward {
        let found = match node {
            Node::Local(local) => {
                if let (syn::Pat::Ident(name), Some(init)) = (&local.pat, &local.init)
                    && self.is_vector(&init.expr)
                {
                    self.names.push(name.ident.to_string());
                }
                false
            }
            Node::Expr(syn::Expr::MethodCall(m)) => {
                let name = m.method.to_string();
                let resizes = RESIZING.contains(&&*name) && self.is_resized(&m.receiver);
                // the caller knows where each row is
                let moves = MOVING.iter().any(|of| name.starts_with(of));
                let moves = moves && self.has_rows && self.is_vector(&m.receiver);
                // `w.append(v)`, `w.clone_into(v)`
                let empties = ["append", "clone_into"].contains(&&*name);
                resizes || moves || (empties && m.args.iter().any(|a| self.is_vector(a)))
            }
            Node::Expr(syn::Expr::Assign(assign)) => match &*assign.left {
                syn::Expr::Unary(_) => self.is_vector(&assign.left),
                left => !matches!(left, syn::Expr::Path(_)) && self.is_resized(left),
            },
            Node::Expr(syn::Expr::Call(call)) => match &*call.func {
                syn::Expr::Path(p) => {
                    let last = p.path.segments.last().map(|s| s.ident.to_string());
                    let moves = ["swap", "replace", "take"].map(|n| last.as_deref() == Some(n));
                    moves.contains(&true) && call.args.iter().any(|a| self.is_vector(a))
                }
                _ => false,
            },
            _ => false,
        };
        match found {
            true => Onward::Found,
            false => Onward::Into,
        }
    }
}

/// Marks functions of a module that pass a vector of their caller's on to one that changes its length: their bodies
/// stand in the place of calls, as that of the other does.
pub(crate) fn mark_those_passing_on(items: &mut [syn::Item]) {
    let mut changed: Set<(String, usize)> = Set::new();
    loop {
        let before = changed.len();
        for item in &mut *items {
            let syn::Item::Fn(f) = item else { continue };
            for k in 0..f.sig.inputs.len() {
                let at = (f.sig.ident.to_string(), k);
                let Some((name, ty)) =
                    parameter_of_vector(&f.sig.inputs[k]).filter(|_| !changed.contains(&at))
                else {
                    continue;
                };
                if changed_vector(ty, &name, &f.block).is_some() {
                    changed.insert(at);
                } else if passes_on(&f.block, name, &changed) {
                    changed.insert(at);
                    put_mark(&mut f.attrs);
                }
            }
        }
        if changed.len() == before {
            return;
        }
    }
}

/// A parameter `v: &mut Vec<_>` without a mark.
fn parameter_of_vector(input: &syn::FnArg) -> Option<(String, &syn::Type)> {
    match input {
        syn::FnArg::Typed(p) if p.attrs.is_empty() => match &*p.pat {
            syn::Pat::Ident(own) => {
                borrowed_vector(ungroup(&p.ty))?;
                Some((unraw(&own.ident), &p.ty))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether a vector with this name is an argument where the length of what is passed may change.
fn passes_on(block: &syn::Block, name: String, changed: &Set<(String, usize)>) -> bool {
    let vector = Changes {
        names: vec![name],
        has_rows: false,
    };
    walk::any(Node::Block(block), &mut |node| {
        let Node::Expr(syn::Expr::Call(call)) = node else {
            return false;
        };
        let syn::Expr::Path(path) = &*call.func else {
            return false;
        };
        let Some(f) = path.path.get_ident() else {
            return false;
        };
        let mut args = call.args.iter().enumerate();
        args.any(|(k, arg)| vector.is_vector(arg) && changed.contains(&(f.to_string(), k)))
    })
}
