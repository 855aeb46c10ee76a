//! Variables that hold what a call gives and that nobody reads: the value may be of any type.

use super::Reader;
use crate::lower::hir::{Block, Closure, Expr, Kind, Local, Pat};
use crate::lower::ty::Ty;
use crate::lower::walk::{each, each_of_block};

/// `let name = h(..);` or `let name = other;`
#[derive(Clone, Debug)]
pub(super) struct Untold {
    local: Local,
    ty: Ty,
    /// The variable that it is a copy of.
    from: Option<Local>,
}

impl Reader<'_> {
    /// Notes a variable of whose type nothing is known.
    pub(super) fn note_untold(&mut self, pat: &Pat, init: &Expr) {
        let from = match init.kind {
            Kind::Call { .. } => None,
            Kind::Local(from) => Some(from),
            _ => return,
        };
        if let (Pat::Bind(local), Ty::Var(_)) = (pat, self.types.shallow(&init.ty)) {
            self.untold.push(Untold {
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
        for untold in std::mem::take(&mut self.untold).into_iter().rev() {
            if uses[untold.local.0] > 0 {
                continue;
            }
            match untold.from {
                Some(from) => uses[from.0] = uses[from.0].saturating_sub(1),
                None if matches!(self.types.shallow(&untold.ty), Ty::Var(_)) => {
                    let bound = self.types.unify(&untold.ty, &Ty::unit());
                    if bound.is_err() {
                        self.cx.mismatch();
                    }
                }
                None => {}
            }
        }
    }
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
