//! `let r = &mut v;` of a struct that borrows: `r` is no variable of its own, its uses are uses of `v`. So nothing else
//! holds the references in it, which may be bound anew through `r`.

use super::Reader;
use crate::lower::hir::{Block, Closure, Expr, Kind, Local, Pat};
use crate::lower::ty::Ty;
use crate::lower::walk::{each_mut, each_mut_of_block, each_mut_of_lambda};
use crate::sorted::Map;

impl Reader<'_> {
    /// Whether the name that a reference is bound to stands for it from now on.
    pub(super) fn stands(&mut self, pat: &Pat, e: &Expr) -> bool {
        let Pat::Bind(local) = pat else {
            return false;
        };
        match self.standing_for(e) {
            Some(of) if !self.locals[local.0].mutable => {
                self.standing.insert(local.0, of);
                true
            }
            _ => false,
        }
    }

    /// The reference to a variable that an expression is.
    fn standing_for(&self, e: &Expr) -> Option<Expr> {
        match &e.kind {
            Kind::Local(r) => self.standing.get(&r.0).cloned(),
            Kind::Ref(mutable, of) => Some(Expr::new(
                Kind::Ref(*mutable, Box::new(self.variable(of)?)),
                e.ty.clone(),
                e.span,
            )),
            _ => None,
        }
    }

    /// A variable that is such a struct, or a field of one.
    fn variable(&self, e: &Expr) -> Option<Expr> {
        match &e.kind {
            Kind::Deref(r) => self.referent(r),
            Kind::TupleField(base, k) if self.is_bundle(&e.ty) => {
                let of = self.referent(base).or_else(|| self.variable(base))?;
                Some(Expr {
                    kind: Kind::TupleField(Box::new(of), *k),
                    ..e.clone()
                })
            }
            Kind::Local(local) if self.is_bundle(&self.locals[local.0].ty) => Some(e.clone()),
            _ => None,
        }
    }

    fn referent(&self, r: &Expr) -> Option<Expr> {
        match self.standing_for(r)?.kind {
            Kind::Ref(_, of) => Some(*of),
            _ => None,
        }
    }

    fn is_bundle(&self, ty: &Ty) -> bool {
        matches!(self.types.shallow(ty), Ty::Bundle(..))
    }

    /// Puts variables in the place of the names that stand for them.
    pub(super) fn put_standing(&mut self, body: &mut Block) {
        if self.standing.is_empty() {
            return;
        }
        let standing = std::mem::take(&mut self.standing);
        each_mut_of_block(body, &mut |e| put(e, &standing));
        for Closure { lambda, .. } in &mut self.closures {
            each_mut_of_lambda(lambda, &mut |e| put(e, &standing));
        }
    }
}

fn put(e: &mut Expr, standing: &Map<usize, Expr>) {
    each_mut(e, &mut |inner| put(inner, standing));
    match &mut e.kind {
        Kind::Local(r) => {
            if let Some(of) = standing.get(&r.0) {
                e.kind = of.kind.clone();
            }
        }
        // `(&mut v).a`, `*&mut v`
        Kind::TupleField(base, _) => {
            if let Kind::Ref(_, of) = &base.kind {
                **base = (**of).clone();
            }
        }
        Kind::Deref(r) => {
            if let Kind::Ref(_, of) = &r.kind {
                e.kind = of.kind.clone();
            }
        }
        Kind::Passive(p) => {
            for (_, local) in &mut p.locals {
                let of = standing.get(&local.0).and_then(root);
                *local = of.unwrap_or(*local);
            }
        }
        _ => {}
    }
}

/// The variable that a reference leads to.
fn root(e: &Expr) -> Option<Local> {
    match &e.kind {
        Kind::Local(local) => Some(*local),
        Kind::Ref(_, of) | Kind::TupleField(of, _) => root(of),
        _ => None,
    }
}
