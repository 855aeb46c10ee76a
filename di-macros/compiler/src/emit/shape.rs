//! How large the code of a function is, as far as inlining goes.

use crate::analysis::activity::regions_of;
use crate::ir::{For, Lit, ON_TAPE, Op, Region, Stmt, Val};
use std::collections::BTreeMap;

/// Loops with no more trips than this are unrolled, and count as none.
const FEW_TRIPS: i128 = 8;

/// What a function consists of.
#[derive(Default)]
pub(super) struct Shape {
    /// Loops that are in no other, but for those of a few trips known when the code is compiled.
    pub(super) loops: usize,
    /// Whether it calls other functions, or itself.
    pub(super) calls: bool,
}

impl Shape {
    pub(super) fn of(region: &Region) -> Shape {
        let mut shape = Shape::default();
        shape.collect(region, &mut BTreeMap::new(), false);
        shape
    }

    fn collect(&mut self, region: &Region, literals: &mut BTreeMap<Val, i128>, inside: bool) {
        for stmt in &region.stmts {
            let mut inside = inside;
            match stmt {
                Stmt::Let(v, Op::Lit(Lit::Int(c))) => {
                    literals.insert(*v, *c);
                }
                Stmt::For(For { lo, hi, .. }) => {
                    let few = match (literals.get(lo), literals.get(hi)) {
                        (Some(lo), Some(hi)) => hi - lo <= FEW_TRIPS,
                        _ => false,
                    };
                    self.loops += usize::from(!few && !inside);
                    inside |= !few;
                }
                Stmt::While { .. } => {
                    self.loops += usize::from(!inside);
                    inside = true;
                }
                Stmt::Let(_, Op::LaneSum(_)) => self.loops += usize::from(!inside),
                Stmt::Call(_) => self.calls = true,
                Stmt::AugmentedCall(c) => {
                    self.calls = true;
                    self.loops += usize::from(c.record == ON_TAPE);
                }
                Stmt::ReverseCall(c) => {
                    self.calls = true;
                    self.loops += usize::from(c.record == ON_TAPE);
                }
                _ => {}
            }
            for inner in regions_of(stmt) {
                self.collect(inner, literals, inside);
            }
        }
    }
}
