//! The order of arguments. Those of constant code that are variables stay where they are, and are read when the call is
//! made: after what the arguments behind them have changed.

use super::Reader;
use super::collections::root;
use super::expr::{strip, unraw};
use super::grouped::may_change;
use crate::error;
use crate::lower::extent::HasExtent;
use crate::lower::free::free_names;
use crate::lower::ty::Ty;
use crate::symbol;
use crate::walk::{self, Node};
use quote::ToTokens;

impl Reader<'_> {
    /// Refuses arguments that change a variable which an argument in front of them reads: these are evaluated later.
    pub(super) fn check_order(&mut self, code: Node<'_>) {
        let (mut wrong, borrowing) = (Vec::new(), self.borrowing(code));
        walk::any(code, &mut |node| {
            let args = match node {
                Node::Expr(syn::Expr::Call(c)) if self.may_be_plain(&c.func) => &c.args,
                Node::Expr(syn::Expr::MethodCall(m)) => &m.args,
                _ => return false,
            };
            for (k, arg) in args.iter().enumerate().skip(1) {
                let changed = changed_in(arg, &borrowing);
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

    /// Variables that borrow what they change: parameters, `let m = &mut n;`, and `let k = m;`.
    fn borrowing(&self, code: Node<'_>) -> Vec<String> {
        let parameters = self.locals.iter().filter(|local| {
            let ty = self.types.shallow(&local.ty);
            matches!(ty, Ty::Ref(true, _))
        });
        let mut names: Vec<String> = parameters.map(|local| local.name.clone()).collect();
        walk::any(code, &mut |node| {
            if let Node::Stmt(syn::Stmt::Local(local)) = node
                && let Some(init) = &local.init
                && match strip(&init.expr) {
                    syn::Expr::Reference(r) => r.mutability.is_some(),
                    syn::Expr::Path(p) => {
                        let of = p.path.get_ident().map(unraw);
                        of.is_some_and(|of| names.contains(&of))
                    }
                    _ => false,
                }
            {
                names.extend(walk::bound(Node::Pat(&local.pat)).iter().map(unraw));
            }
            false
        });
        names
    }

    /// Whether a function may be one without an attribute; a variant, and one that is differentiated, are not.
    fn may_be_plain(&self, f: &syn::Expr) -> bool {
        let syn::Expr::Path(p) = strip(f) else {
            return false;
        };
        let name = p.path.segments.last().map(|s| s.ident.to_string());
        let is_made = name.is_some_and(|name| name.starts_with(char::is_uppercase));
        let path = self.resolve_use(&p.path).to_token_stream().to_string();
        let of_floats = path
            .strip_prefix("f64 :: ")
            .or(path.strip_prefix("f32 :: "));
        if of_floats.is_some_and(|name| symbol::elementary(name).is_some()) {
            return false;
        }
        let known = self.env.function(&path);
        let is_differentiated = known.is_some_and(|known| known.is_differentiated);
        !is_made && !is_differentiated
    }
}

/// The variables that the evaluation of an argument changes, as far as it says so. One that is borrowed is changed by
/// the call itself.
fn changed_in(e: &syn::Expr, borrowing: &[String]) -> Vec<String> {
    let mut changed = Vec::new();
    let within = match strip(e) {
        syn::Expr::Reference(r) => &r.expr,
        e => e,
    };
    walk::any(Node::Expr(within), &mut |node| {
        if let Node::Expr(
            syn::Expr::Call(syn::ExprCall { args, .. })
            | syn::Expr::MethodCall(syn::ExprMethodCall { args, .. }),
        ) = node
        {
            let passed = args.iter().filter_map(|arg| match strip(arg) {
                syn::Expr::Path(p) => p.path.get_ident().map(unraw),
                _ => None,
            });
            changed.extend(passed.filter(|name| borrowing.contains(name)));
        }
        let place = match node {
            Node::Expr(syn::Expr::Reference(r)) if r.mutability.is_some() => &r.expr,
            Node::Expr(syn::Expr::Assign(a)) => &a.left,
            Node::Expr(syn::Expr::Binary(b)) if walk::is_assignment(&b.op) => &b.left,
            Node::Expr(syn::Expr::MethodCall(m)) if may_change(&m.method.to_string()) => {
                &m.receiver
            }
            _ => return false,
        };
        changed.extend(root(place).as_ref().map(unraw));
        false
    });
    changed
}

/// Whether the value of an argument depends on these variables: of a reference, only the place that it is to.
fn reads(e: &syn::Expr, names: &[String]) -> bool {
    if let syn::Expr::Reference(r) = strip(e) {
        return walk::any(
            Node::Expr(&r.expr),
            &mut |node| matches!(node, Node::Expr(syn::Expr::Index(i)) if reads(&i.index, names)),
        );
    }
    let read = free_names(Node::Expr(e));
    names.iter().any(|name| read.contains(name))
}
