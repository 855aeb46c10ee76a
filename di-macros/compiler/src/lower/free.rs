//! Free names: those that code uses and does not bind itself, by the scopes of Rust.

use super::read::names_in_macro;
use crate::sorted::Set;
use crate::tokens::unraw;
use crate::walk::{self, Node, Onward};

/// The names that code uses as variables, or hands to a macro, and does not bind around that.
pub(super) fn free_names(code: Node<'_>) -> Set<String> {
    let mut names = Names::default();
    names.within(code);
    names.free
}

/// Whether a function names itself: a variable or a parameter of this name is another one.
pub(super) fn names_itself(sig: &syn::Signature, block: &syn::Block) -> bool {
    let is_own = |name: &syn::Ident| *name == sig.ident;
    !walk::bound(Node::Signature(sig)).iter().any(is_own)
        && free_names(Node::Block(block)).contains(&unraw(&sig.ident))
}

#[derive(Default)]
struct Names {
    /// What is bound where the walk is, inner scopes last.
    bound: Vec<String>,
    free: Set<String>,
}

impl Names {
    fn within(&mut self, node: Node<'_>) {
        walk::read(node, &mut |node| self.node(node));
    }

    fn node(&mut self, node: Node<'_>) -> Onward {
        match node {
            Node::ExprPath(p) => {
                if let Some(name) = p.path.get_ident() {
                    self.uses(unraw(name));
                }
                Onward::Over
            }
            Node::Macro(mac) => {
                for name in &names_in_macro(mac) {
                    self.uses(name.clone());
                }
                Onward::Over
            }
            Node::Block(block) => {
                self.scope(|s| {
                    block
                        .stmts
                        .iter()
                        .for_each(|stmt| s.within(Node::Stmt(stmt)))
                });
                Onward::Over
            }
            Node::Local(local) => {
                if let Some(init) = &local.init {
                    self.within(Node::Expr(&init.expr));
                    if let Some((_, diverge)) = &init.diverge {
                        self.within(Node::Expr(diverge));
                    }
                }
                self.bind(&local.pat);
                Onward::Over
            }
            Node::Arm(arm) => {
                self.scope(|s| {
                    s.bind(&arm.pat);
                    if let Some((_, guard)) = &arm.guard {
                        s.within(Node::Expr(guard));
                    }
                    s.within(Node::Expr(&arm.body));
                });
                Onward::Over
            }
            Node::Expr(e) => self.expr(e),
            // items see no variables
            Node::Item(_) | Node::Type(_) | Node::Pat(_) => Onward::Over,
            _ => Onward::Into,
        }
    }

    fn expr(&mut self, e: &syn::Expr) -> Onward {
        match e {
            syn::Expr::Closure(closure) => self.scope(|s| {
                closure.inputs.iter().for_each(|pat| s.bind(pat));
                s.within(Node::Expr(&closure.body));
            }),
            syn::Expr::ForLoop(f) => {
                self.within(Node::Expr(&f.expr));
                self.scope(|s| {
                    s.bind(&f.pat);
                    s.within(Node::Block(&f.body));
                });
            }
            syn::Expr::While(w) => self.scope(|s| {
                s.within(Node::Expr(&w.cond));
                s.within(Node::Block(&w.body));
            }),
            syn::Expr::If(i) => {
                self.scope(|s| {
                    s.within(Node::Expr(&i.cond));
                    s.within(Node::Block(&i.then_branch));
                });
                if let Some((_, other)) = &i.else_branch {
                    self.within(Node::Expr(other));
                }
            }
            // what it binds is bound in the rest of its condition, and behind it
            syn::Expr::Let(l) => {
                self.within(Node::Expr(&l.expr));
                self.bind(&l.pat);
            }
            _ => return Onward::Into,
        }
        Onward::Over
    }

    fn scope(&mut self, inside: impl FnOnce(&mut Names)) {
        let around = self.bound.len();
        inside(self);
        self.bound.truncate(around);
    }

    fn bind(&mut self, pat: &syn::Pat) {
        let names = walk::bound(Node::Pat(pat));
        self.bound.extend(names.iter().map(unraw));
    }

    fn uses(&mut self, name: String) {
        if !self.bound.contains(&name) {
            self.free.insert(name);
        }
    }
}
