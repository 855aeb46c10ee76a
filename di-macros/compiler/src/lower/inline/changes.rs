//! Functions that change the length of a vector that they borrow, or the order of its rows. Their bodies stand in the
//! place of their calls, where the vector is a variable.

use super::typed;
use crate::lower::types::{arguments, ungroup};
use crate::walk::{self, Node};

/// Whether a function changes the length of a vector that it borrows, or the order of its rows: `a.swap(k, pivot)`.
pub(super) fn changes_lengths(function: &syn::ItemFn) -> bool {
    const LENGTHS: [&str; 16] = [
        "append",
        "clear",
        "dedup",
        "drain",
        "extend",
        "extend_from_slice",
        "insert",
        "pop",
        "push",
        "remove",
        "resize",
        "retain",
        "split_off",
        "splice",
        "swap_remove",
        "truncate",
    ];
    const ORDER: [&str; 6] = [
        "reverse",
        "rotate_left",
        "rotate_right",
        "sort_by",
        "sort_by_key",
        "swap",
    ];
    let mut parameters = function.sig.inputs.iter().filter_map(typed);
    parameters.any(|p| {
        let (syn::Pat::Ident(name), syn::Type::Reference(r)) = (&*p.pat, ungroup(&p.ty)) else {
            return false;
        };
        let syn::Type::Path(of) = ungroup(&r.elem) else {
            return false;
        };
        let is_vector = of.path.segments.last().is_some_and(|s| s.ident == "Vec");
        if r.mutability.is_none() || !is_vector || !p.attrs.is_empty() {
            return false;
        }
        let has_rows = arguments(&of.path).iter().any(|row| {
            matches!(row, syn::Type::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "Vec"))
        });
        let is_it = |e: &syn::Expr| matches!(e, syn::Expr::Path(p) if p.path.is_ident(&name.ident));
        walk::any(Node::Block(&function.block), &mut |node| match node {
            // `*v = next;`
            Node::Expr(syn::Expr::Assign(a)) => {
                matches!(&*a.left, syn::Expr::Unary(u) if is_it(&u.expr))
            }
            Node::Expr(syn::Expr::MethodCall(m)) => {
                let method = m.method.to_string();
                let is_longer = LENGTHS.contains(&&*method);
                match &*m.receiver {
                    syn::Expr::Index(row) => has_rows && is_longer && is_it(&row.expr),
                    whole => {
                        let is_moved = has_rows && ORDER.contains(&&*method);
                        (is_moved || is_longer) && is_it(whole)
                    }
                }
            }
            _ => false,
        })
    })
}
