//! The order of arguments. Those of constant code that are variables stay where they are, and are read when the call is
//! made: after what the arguments behind them have changed.

use super::Reader;
use super::expr::{strip, unraw};
use super::grouped::may_change;
use crate::error;
use crate::lower::extent::HasExtent;
use crate::lower::free::free_names;
use crate::walk::{self, Node};
use quote::ToTokens;

impl Reader<'_> {
    /// Refuses arguments that change a variable which an argument in front of them reads: these are evaluated later.
    pub(super) fn check_order(&mut self, block: &syn::Block) {
        let mut wrong = Vec::new();
        walk::any(Node::Block(block), &mut |node| {
            let args = match node {
                Node::Expr(syn::Expr::Call(c)) if self.may_be_plain(&c.func) => &c.args,
                Node::Expr(syn::Expr::MethodCall(m)) => &m.args,
                _ => return false,
            };
            for (k, arg) in args.iter().enumerate().skip(1) {
                let changed = changed_in(arg);
                let mut before = args.iter().take(k);
                if !changed.is_empty() && before.any(|of| reads(of, &changed)) {
                    wrong.push(arg.extent());
                }
            }
            false
        });
        for at in wrong {
            self.cx.error(at, &error::PASSIVE_EFFECT);
        }
    }

    /// Whether a function may be one without an attribute; a variant, and one that is differentiated, are not.
    fn may_be_plain(&self, f: &syn::Expr) -> bool {
        let syn::Expr::Path(p) = strip(f) else {
            return false;
        };
        let name = p.path.segments.last().map(|s| s.ident.to_string());
        let is_made = name.is_some_and(|name| name.starts_with(char::is_uppercase));
        let path = self.resolve_use(&p.path).to_token_stream().to_string();
        let known = self.env.function(&path);
        let is_differentiated = known.is_some_and(|known| known.is_differentiated);
        !is_made && !is_differentiated
    }
}

/// The variables that an expression changes, as far as it says so.
fn changed_in(e: &syn::Expr) -> Vec<String> {
    let mut changed = Vec::new();
    walk::any(Node::Expr(e), &mut |node| {
        let place = match node {
            Node::Expr(syn::Expr::Reference(r)) if r.mutability.is_some() => &r.expr,
            Node::Expr(syn::Expr::Assign(a)) => &a.left,
            Node::Expr(syn::Expr::Binary(b)) if walk::is_assignment(&b.op) => &b.left,
            Node::Expr(syn::Expr::MethodCall(m)) if may_change(&m.method.to_string()) => {
                &m.receiver
            }
            _ => return false,
        };
        changed.extend(root_of(place));
        false
    });
    changed
}

/// The variable that a place is a part of.
fn root_of(e: &syn::Expr) -> Option<String> {
    match strip(e) {
        syn::Expr::Path(p) => p.path.get_ident().map(unraw),
        syn::Expr::Field(f) => root_of(&f.base),
        syn::Expr::Index(i) => root_of(&i.expr),
        syn::Expr::Unary(u) => root_of(&u.expr),
        syn::Expr::MethodCall(m) => root_of(&m.receiver),
        _ => None,
    }
}

/// Whether the value of an argument depends on these variables: of a reference, only the place that it is to.
fn reads(e: &syn::Expr, names: &[String]) -> bool {
    if let syn::Expr::Reference(r) = strip(e) {
        return walk::any(
            Node::Expr(&r.expr),
            &mut |node| matches!(node, Node::Expr(syn::Expr::Index(i)) if reads(&i.index, names)),
        );
    }
    let read = free_names(e);
    names.iter().any(|name| read.contains(name))
}
