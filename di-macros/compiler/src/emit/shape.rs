//! How large the code of a function is, as far as inlining goes.

use crate::ir::{For, Lit, ON_TAPE, Op, Region, Stmt, Val};
use crate::sorted::Map;
use crate::template::quote;
use crate::transform::reverse::Reverse;
use proc_macro2::TokenStream;

/// Loops with no more trips than this are unrolled, and count as none.
const FEW_TRIPS: i128 = 8;

/// Loops that a function may have and still be inlined by force.
const FEW_LOOPS: usize = 2;

/// Functions without loops, and small ones with loops but without calls, are always inlined: their
/// callers' loops are compiled better with them. The others never are: in one big body less is known
/// of what parameters refer to, and registers run out.
pub(super) fn inline(r: &Reverse) -> TokenStream {
    let shapes = [&r.augmented.region, &r.reverse.region].map(Shape::of);
    let small = |shape: &Shape| shape.loops == 0 || (!shape.calls && shape.loops <= FEW_LOOPS);
    if shapes.iter().all(small) {
        quote!(#[cfg_attr(not(debug_assertions), inline(always))])
    } else {
        quote!(#[inline(never)])
    }
}

/// What a function consists of.
#[derive(Default)]
struct Shape {
    /// Loops that are in no other, but for those of a few trips known when the code is compiled.
    loops: usize,
    /// Whether it calls other functions, or itself.
    calls: bool,
}

impl Shape {
    fn of(region: &Region) -> Shape {
        let mut shape = Shape::default();
        shape.collect(region, &mut Map::new(), false);
        shape
    }

    fn collect(&mut self, region: &Region, literals: &mut Map<Val, i128>, inside: bool) {
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
            for inner in stmt.regions() {
                self.collect(inner, literals, inside);
            }
        }
    }
}
