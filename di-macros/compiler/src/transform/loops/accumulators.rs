//! An element that all trips of a loop add to, and that the loop uses in no other way, is summed in
//! a variable and added once. Only rounding changes.

use super::{Cx, Facts};
use crate::ir::{Exit, For, Init, Op, Place, PlaceKind, Proj, Region, Stmt, Type};
use crate::mutation::seeded;
use proc_macro2::Span;

impl Cx<'_> {
    /// Returns what comes after the loop.
    pub(super) fn accumulators(
        &mut self,
        f: &mut For,
        facts: &Facts,
        before: &mut Vec<Stmt>,
    ) -> Vec<Stmt> {
        let mut after = Vec::new();
        for (root, accesses) in &facts.accesses {
            let Some(first) = accesses.first().map(|a| a.place.clone()) else {
                continue;
            };
            let same = accesses
                .iter()
                .all(|a| a.adds && a.always && a.place == first);
            let fixed = first.path.iter().all(|step| match step {
                Proj::Index(i) | Proj::Flat(i) => !facts.inside.contains(i),
                Proj::Range(..) | Proj::Field(..) => false,
            });
            let element = !first.path.is_empty()
                && self.body.type_at(&first) == Some(Type::Lane)
                && !matches!(self.body.place(*root).ty, Type::Struct(_));
            if !(same && fixed && element) || facts.declared.contains(root) {
                continue;
            }
            let zero = self.body.new_val(Type::Lane, None, Span::call_site());
            let sum = self
                .body
                .new_place(Type::Lane, "sum", PlaceKind::Local, Span::call_site());
            before.push(Stmt::Let(zero, Op::LaneZero));
            before.push(Stmt::Declare(sum, Init::Scalar(zero)));
            let sum = Place {
                root: sum,
                path: Vec::new(),
            };
            redirect(&mut f.body, &first, &sum);
            let total = self.body.new_val(Type::Lane, None, Span::call_site());
            after.push(Stmt::Load(total, sum));
            if !seeded!(AccumulatorLost) {
                after.push(Stmt::Accumulate {
                    place: first,
                    negate: false,
                    val: total,
                });
            }
        }
        after
    }
}

/// Accumulations to `from` go to `to`.
fn redirect(region: &mut Region, from: &Place, to: &Place) {
    debug_assert!(matches!(region.exit, Exit::Yield(_)), "structured bodies");
    for stmt in &mut region.stmts {
        if let Stmt::Accumulate { place, .. } = stmt
            && place == from
        {
            *place = to.clone();
        }
    }
}
