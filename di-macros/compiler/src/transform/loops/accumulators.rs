//! An element that all trips of a loop add to, and that the loop uses in no other way, is summed in
//! a variable and added once. So are several elements of one array: should two of them be the same, each of their sums
//! is added. Only rounding changes.

use super::{Access, Cx, Facts};
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
            let fixed = |place: &Place| {
                place.path.iter().all(|step| match step {
                    Proj::Index(i) | Proj::Flat(i) => !facts.inside.contains(i),
                    Proj::Range(..) | Proj::Field(..) => false,
                })
            };
            let element = |place: &Place| {
                !place.path.is_empty() && self.body.type_at(place) == Some(Type::Lane)
            };
            let summed = accesses
                .iter()
                .all(|a| a.adds && a.always && fixed(&a.place) && element(&a.place));
            let strukt = matches!(self.body.place(*root).ty, Type::Struct(_));
            if !summed || strukt || facts.declared.contains(root) {
                continue;
            }
            let mut elements: Vec<&Place> = Vec::new();
            for Access { place, .. } in accesses {
                if !elements.contains(&place) {
                    elements.push(place);
                }
            }
            for element in elements {
                after.extend(self.accumulator(element, f, before));
            }
        }
        after
    }

    /// A variable for one element; returns what is done with it after the loop.
    fn accumulator(&mut self, element: &Place, f: &mut For, before: &mut Vec<Stmt>) -> Vec<Stmt> {
        let zero = self.body.new_val(Type::Lane, None, Span::call_site());
        let sum = self
            .body
            .new_place(Type::Lane, "sum", PlaceKind::Local, Span::call_site());
        before.push(Stmt::Let(zero, Op::LaneZero));
        before.push(Stmt::Declare(sum, Init::Scalar(zero)));
        let sum = Place::from(sum);
        redirect(&mut f.body, element, &sum);
        let total = self.body.new_val(Type::Lane, None, Span::call_site());
        let mut after = vec![Stmt::Load(total, sum)];
        if !seeded!(AccumulatorLost) {
            after.push(Stmt::Accumulate {
                place: element.clone(),
                negate: false,
                val: total,
            });
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
