//! Windows: `x[i] += p; x[i + 1] += q` in a loop over `i` becomes one addition to `x[i]`, of `p` and of
//! what the trip before gave to `x[i + 1]`, which is carried in a variable. Two overlapping writes in
//! each trip cost several times as much. Only rounding changes.

use super::affine::Affine;
use super::{Access, Cx, Facts};
use crate::ir::{BinOp, For, Init, Lit, Op, Place, PlaceId, PlaceKind, Proj, Stmt, Type, Val};
use crate::mutation::seeded;
use proc_macro2::Span;

/// Elements beyond which a window is not worth its variables.
const WIDEST: i128 = 4;

/// An element of the window: how far it is from the first, and a place that leads to it.
struct Element {
    offset: i128,
    place: Place,
}

impl Cx<'_> {
    /// Returns what comes after the loop. The loop must run upwards.
    pub(super) fn windows(
        &mut self,
        f: &mut For,
        facts: &mut Facts,
        before: &mut Vec<Stmt>,
    ) -> Vec<Stmt> {
        let mut after = Vec::new();
        if f.reversed {
            return after;
        }
        let roots: Vec<PlaceId> = facts.accesses.keys().copied().collect();
        for root in roots {
            if facts.declared.contains(&root) {
                continue;
            }
            let Some(elements) = self.window(&facts.accesses[&root], f, facts) else {
                continue;
            };
            let first = elements[0].place.clone();
            self.slide(f, facts, &elements, before, &mut after);
            // what is left is one addition
            let left = facts.accesses.get_mut(&root).expect("listed above");
            left.truncate(1);
            left[0].place = first;
        }
        after
    }

    /// The elements, the first first, if all that the loop does with the root is to add to a few
    /// neighbours that move on by one from trip to trip.
    fn window(&self, accesses: &[Access], f: &For, facts: &Facts) -> Option<Vec<Element>> {
        let mut found: Vec<(Affine, Place)> = Vec::new();
        for access in accesses {
            let [Proj::Index(i)] = access.place.path.as_slice() else {
                return None;
            };
            let direct = self.views.root(access.place.root) == access.place.root;
            let lane = self.body.type_at(&access.place) == Some(Type::Lane);
            if !(access.adds && access.always && direct && lane) {
                return None;
            }
            found.push((self.unit_stride(*i, f, facts)?, access.place.clone()));
        }
        let first = found.iter().min_by_key(|(index, _)| index.constant)?;
        let first = first.0.clone();
        let mut elements: Vec<Element> = Vec::new();
        for (index, place) in found {
            let offset = index.constant - first.constant;
            if !index.is_parallel(&first) || offset > WIDEST {
                return None;
            }
            elements.push(Element { offset, place });
        }
        elements.sort_by_key(|e| e.offset);
        elements
            .last()
            .is_some_and(|e| e.offset > 0)
            .then_some(elements)
    }

    fn slide(
        &mut self,
        f: &mut For,
        facts: &Facts,
        elements: &[Element],
        before: &mut Vec<Stmt>,
        after: &mut Vec<Stmt>,
    ) {
        let span = Span::call_site();
        let width = usize::try_from(elements.last().map_or(0, |e| e.offset)).unwrap_or(0);
        // one variable for each element but the first: what is to come for it
        let mut carried = Vec::new();
        for _ in 0..width {
            let zero = self.body.new_val(Type::Lane, None, span);
            let place = self
                .body
                .new_place(Type::Lane, "carried", PlaceKind::Local, span);
            before.push(Stmt::Let(zero, Op::LaneZero));
            before.push(Stmt::Declare(place, Init::Scalar(zero)));
            carried.push(Place::from(place));
        }
        let mut sums: Vec<Option<Val>> = vec![None; width + 1];
        let mut stmts = Vec::with_capacity(f.body.stmts.len());
        let root = elements[0].place.root;
        for stmt in std::mem::take(&mut f.body.stmts) {
            match stmt {
                Stmt::Accumulate { place, negate, val } if place.root == root => {
                    let element = elements.iter().find(|e| e.place == place);
                    let at = element.map_or(0, |e| usize::try_from(e.offset).unwrap_or(0));
                    let op = match (sums[at], negate) {
                        (None, false) => {
                            sums[at] = Some(val);
                            continue;
                        }
                        (None, true) => Op::Neg(val),
                        (Some(sum), false) => Op::Bin(BinOp::Add, sum, val),
                        (Some(sum), true) => Op::Bin(BinOp::Sub, sum, val),
                    };
                    sums[at] = Some(self.lane(op, &mut stmts));
                }
                stmt => stmts.push(stmt),
            }
        }
        let mut was = Vec::new();
        for place in &carried {
            let v = self.body.new_val(Type::Lane, None, span);
            stmts.push(Stmt::Load(v, place.clone()));
            was.push(v);
        }
        for (at, sum) in sums.into_iter().enumerate() {
            let total = match (was.get(at).copied(), sum) {
                (Some(was), Some(sum)) => self.lane(Op::Bin(BinOp::Add, was, sum), &mut stmts),
                (Some(was), None) => was,
                (None, Some(sum)) => sum,
                (None, None) => self.lane(Op::LaneZero, &mut stmts),
            };
            stmts.push(match at.checked_sub(1) {
                None => Stmt::Accumulate {
                    place: elements[0].place.clone(),
                    negate: false,
                    val: total,
                },
                Some(at) => Stmt::Store(carried[at].clone(), total),
            });
        }
        f.body.stmts = stmts;
        if !seeded!(WindowNotFlushed) {
            self.flush(f, facts, &elements[0].place, &carried, after);
        }
    }

    /// What is carried beyond the last trip.
    fn flush(
        &mut self,
        f: &For,
        facts: &Facts,
        first: &Place,
        carried: &[Place],
        after: &mut Vec<Stmt>,
    ) {
        let Some(Proj::Index(i)) = first.path.first() else {
            return;
        };
        let usize = Type::usize();
        let start = self.at_start(*i, f, facts, after);
        let mut at = self.body.new_val(usize.clone(), None, Span::call_site());
        after.push(Stmt::Let(at, Op::Bin(BinOp::Add, start, f.hi)));
        for (k, place) in carried.iter().enumerate() {
            if k > 0 {
                let one = self.body.new_val(usize.clone(), None, Span::call_site());
                after.push(Stmt::Let(one, Op::Lit(Lit::Int(1))));
                let next = self.body.new_val(usize.clone(), None, Span::call_site());
                after.push(Stmt::Let(next, Op::Bin(BinOp::Add, at, one)));
                at = next;
            }
            let v = self.body.new_val(Type::Lane, None, Span::call_site());
            after.push(Stmt::Load(v, place.clone()));
            after.push(Stmt::Accumulate {
                place: Place {
                    root: first.root,
                    path: vec![Proj::Index(at)],
                },
                negate: false,
                val: v,
            });
        }
    }

    fn lane(&mut self, op: Op, out: &mut Vec<Stmt>) -> Val {
        let v = self.body.new_val(Type::Lane, None, Span::call_site());
        out.push(Stmt::Let(v, op));
        v
    }
}
