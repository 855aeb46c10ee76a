//! Statements on lanes after the others, as far as control flow lets them.
//!
//! Lanes never flow back into values, so that a run of simple statements may do all of its primal work first. What
//! is left is one block of lane arithmetic without the branches of index checks and without stores in its midst,
//! which is compiled to vector instructions that read lanes where they lie.

use crate::ir::{Body, Region, Stmt};
use crate::mutation::seeded;

/// Parts each run of simple statements: values first, then lanes; the order among each stays.
pub(super) fn lanes_apart(body: &Body, region: &mut Region) {
    let mut stmts = Vec::with_capacity(region.stmts.len());
    let mut lanes = Vec::new();
    for stmt in region.stmts.drain(..) {
        match of_lanes(body, &stmt) {
            Some(true) => lanes.push(stmt),
            Some(false) => stmts.push(stmt),
            None => {
                let held = match seeded!(LanesHeldBack) {
                    true => lanes.extract_if(.., |s| is_write(s)).collect(),
                    false => Vec::new(),
                };
                stmts.append(&mut lanes);
                stmts.push(stmt);
                lanes = held;
            }
        }
    }
    stmts.append(&mut lanes);
    region.stmts = stmts;
}

fn is_write(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Store(..) | Stmt::Accumulate { .. })
}

/// Whether a simple statement makes or writes lanes; `None` of others, which stay where they are.
fn of_lanes(body: &Body, stmt: &Stmt) -> Option<bool> {
    match stmt {
        Stmt::Let(v, _) | Stmt::Load(v, _) => Some(body.val(*v).ty.is_lanes()),
        Stmt::Store(place, _) | Stmt::Accumulate { place, .. } => {
            Some(body.place(place.root).ty.is_lanes())
        }
        Stmt::Declare(..)
        | Stmt::View { .. }
        | Stmt::CopyPlace { .. }
        | Stmt::Storage(_)
        | Stmt::Call(_)
        | Stmt::If { .. }
        | Stmt::For(_)
        | Stmt::While { .. }
        | Stmt::Block { .. }
        | Stmt::Effect(_)
        | Stmt::Record(..)
        | Stmt::Tape(_)
        | Stmt::First(_)
        | Stmt::AccumulatePlace { .. }
        | Stmt::Zero(_)
        | Stmt::TangentCall(_)
        | Stmt::AugmentedCall(_)
        | Stmt::ReverseCall(_) => None,
    }
}
