//! Expressions of floats alone.

use crate::symbol;

/// Whether the expression is made of operators, elements and methods of floats alone.
pub(super) fn is_plain(e: &syn::Expr) -> bool {
    match super::expr::strip(e) {
        syn::Expr::Path(_) | syn::Expr::Lit(_) => true,
        syn::Expr::Binary(b) => is_plain(&b.left) && is_plain(&b.right),
        syn::Expr::Unary(u) => is_plain(&u.expr),
        syn::Expr::Index(i) => is_plain(&i.expr) && is_plain(&i.index),
        syn::Expr::Field(f) => is_plain(&f.base),
        syn::Expr::Cast(c) => is_plain(&c.expr),
        syn::Expr::MethodCall(m) => {
            symbol::elementary(&m.method.to_string()).is_some()
                && is_plain(&m.receiver)
                && m.args.iter().all(is_plain)
        }
        _ => false,
    }
}

/// Whether this is a call of `passive`.
pub(super) fn is_passive(call: &syn::ExprCall) -> bool {
    let last = match super::expr::strip(&call.func) {
        syn::Expr::Path(p) => p.path.segments.last(),
        _ => None,
    };
    last.is_some_and(|last| last.ident == "passive") && call.args.len() == 1
}

/// Whether this is `passive(z)` of a number.
pub(super) fn is_cut(e: &syn::Expr) -> bool {
    matches!(e, syn::Expr::Call(c) if is_passive(c) && is_plain(&c.args[0]))
}
