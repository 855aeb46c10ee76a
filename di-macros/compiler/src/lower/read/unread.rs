//! Variables that hold the result of a call and that nobody reads: the value may be of any type.

use super::Reader;
use crate::lower::hir::{Block, Closure, Expr, Kind, Local, Pat};
use crate::lower::ty::Ty;
use crate::lower::walk::{each, each_of_block};

/// `let name = h(..);` or `let name = other;`
#[derive(Clone, Debug)]
pub(super) struct Unresolved {
    local: Local,
    ty: Ty,
    /// The variable that it is a copy of.
    from: Option<Local>,
}

impl Reader<'_> {
    /// Notes a variable of whose type nothing is known.
    pub(super) fn note_unresolved(&mut self, pat: &Pat, init: &Expr) {
        let from = match init.kind {
            Kind::Call { .. } => None,
            Kind::Local(from) => Some(from),
            _ => return,
        };
        if let (Pat::Bind(local), Ty::Var(_)) = (pat, self.types.shallow(&init.ty)) {
            self.unresolved.push(Unresolved {
                local: *local,
                ty: init.ty.clone(),
                from,
            });
        }
    }

    /// What is in variables that nobody reads is dropped.
    pub(super) fn drop_unread(&mut self, body: &Block) {
        let mut uses = vec![0usize; self.locals.len()];
        each_of_block(body, &mut |e| count(e, &mut uses));
        for Closure { lambda, .. } in &self.closures {
            count(&lambda.body, &mut uses);
        }
        for unresolved in std::mem::take(&mut self.unresolved).into_iter().rev() {
            if uses[unresolved.local.0] > 0 {
                continue;
            }
            match unresolved.from {
                Some(from) => uses[from.0] = uses[from.0].saturating_sub(1),
                None if matches!(self.types.shallow(&unresolved.ty), Ty::Var(_)) => {
                    let bound = self.types.unify(&unresolved.ty, &Ty::unit());
                    if bound.is_err() {
                        self.cx.mismatch();
                    }
                }
                None => {}
            }
        }
        self.drop_payloads(body);
    }

    /// What is in an `Ok` or a `Some` that a call returns, where it is only asked which of them it is.
    fn drop_payloads(&mut self, body: &Block) {
        let (mut payloads, mut seen) = (Vec::new(), Vec::new());
        let mut note = |e: &Expr| {
            all(e, &mut |e| match (&e.kind, self.types.shallow(&e.ty)) {
                (Kind::Call { .. }, Ty::Sum(parts)) => payloads.extend(parts),
                (_, ty) => seen.push(ty),
            })
        };
        each_of_block(body, &mut note);
        for Closure { lambda, .. } in &self.closures {
            note(&lambda.body);
        }
        seen.extend(self.locals.iter().map(|local| local.ty.clone()));
        for payload in payloads {
            let ty = self.types.peel(&payload);
            let used = seen.iter().any(|other| self.types.mentions(other, &ty));
            if matches!(ty, Ty::Var(_)) && !used && self.types.unify(&ty, &Ty::unit()).is_err() {
                self.cx.mismatch();
            }
        }
    }
}

/// Each expression in another, and itself.
pub(super) fn all(e: &Expr, f: &mut impl FnMut(&Expr)) {
    f(e);
    each(e, &mut |inner| all(inner, f));
}

fn count(e: &Expr, uses: &mut [usize]) {
    match &e.kind {
        Kind::Local(local) => uses[local.0] += 1,
        Kind::Passive(passive) => {
            for (_, local) in &passive.locals {
                uses[local.0] += 1;
            }
        }
        _ => {}
    }
    each(e, &mut |inner| count(inner, uses));
}
