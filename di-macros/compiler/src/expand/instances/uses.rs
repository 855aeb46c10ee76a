//! What the uses of a value say of its type: where it is handed to, and what stands beside it.

use super::{Instances, inferred, made_of};
use crate::walk::{self, Node, Onward};

impl Instances {
    /// Says what is handed to functions and operators whose types are known.
    pub(super) fn handed(&mut self, e: &mut syn::Expr) {
        let known = self.inferred.inputs(e);
        let args = match e {
            syn::Expr::Call(c) => &mut c.args,
            syn::Expr::MethodCall(m) => &mut m.args,
            syn::Expr::Binary(b) if inferred::is_of_one_type(&b.op) => {
                let (left, right) = (self.inferred.ty(&b.left), self.inferred.ty(&b.right));
                for (side, ty) in [(&mut b.left, right), (&mut b.right, left)] {
                    if let Some(ty) = ty {
                        self.expected(side, &ty);
                    }
                }
                return;
            }
            _ => return,
        };
        for (arg, ty) in args.iter_mut().zip(known.into_iter().flatten()) {
            self.expected(arg, &ty);
        }
    }

    /// Says what a variable is by what follows: `let at = V::new(..); len(at)`.
    pub(super) fn note_uses(&mut self, local: &mut syn::Local, rest: &[syn::Stmt]) {
        let (syn::Pat::Ident(name), Some(init)) = (&local.pat, &mut local.init) else {
            return;
        };
        let Some(of) = made_of(&init.expr).filter(|of| self.structs.contains_key(&of.to_string()))
        else {
            return;
        };
        let s = &self.structs[&of.to_string()];
        let own = self.inferred.types_of(&init.expr, s, &self.blocks);
        if own.is_some_and(|types| inferred::all_known(&types).is_some()) {
            return;
        }
        let name = &name.ident;
        // as long as no other has its name
        let is_seen = |stmt: &&syn::Stmt| !walk::bound(Node::Stmt(stmt)).contains(name);
        let is_it = |e: &syn::Expr| {
            let e = match e {
                syn::Expr::Reference(r) => &r.expr,
                e => e,
            };
            matches!(e, syn::Expr::Path(p) if p.path.is_ident(name))
        };
        let mut found = None;
        let mut note = |ty: Option<syn::Type>| {
            let named = ty.as_ref().and_then(inferred::name_of);
            let mut all = self.found.iter();
            if all.any(|i| i.of.ident == of && named.as_deref() == Some(&i.name.to_string())) {
                found = ty;
            }
        };
        for stmt in rest.iter().take_while(is_seen) {
            walk::read(Node::Stmt(stmt), &mut |node| {
                let Node::Expr(e) = node else {
                    return Onward::Into;
                };
                let args = match e {
                    syn::Expr::Call(c) => &c.args,
                    syn::Expr::MethodCall(m) => &m.args,
                    syn::Expr::Binary(b) if inferred::is_of_one_type(&b.op) => {
                        for (side, other) in [(&b.left, &b.right), (&b.right, &b.left)] {
                            if is_it(side) {
                                note(self.inferred.ty(other));
                            }
                        }
                        return Onward::Into;
                    }
                    _ => return Onward::Into,
                };
                if args.iter().any(is_it) {
                    let known = self.inferred.inputs(e).into_iter().flatten();
                    for (_, ty) in args.iter().zip(known).filter(|(arg, _)| is_it(arg)) {
                        note(Some(ty));
                    }
                }
                Onward::Into
            });
        }
        if let Some(ty) = found {
            self.expected(&mut init.expr, &ty);
        }
    }
}
