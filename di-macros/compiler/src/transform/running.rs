//! Running indices: an integer that a loop steps by the same amount in each trip is computed from
//! the trip's number, so that its values need not be recorded one by one.
//!
//! `l += c` must be the only write to `l` in the loop, stand directly in its body and so happen once
//! in each trip, and `c` must be known before the loop. Then `l` is `l0 + trip c` before it and one
//! `c` more after it: the very values it had.
//!
//! Likewise where `c` is the number of trips of a loop inside whose end or beginning is the trip's number,
//! as in the walk through a packed triangle: `c` then grows or shrinks by one from trip to trip, and what
//! all trips before have added is a triangular number and a multiple of the trip's number.

use super::first::uses;
use super::structure::Structured;
use crate::analysis::record::lets_of;
use crate::ir::{
    BinOp, Body, For, Init, Lit, Op, Place, PlaceId, PlaceKind, Region, Stmt, Type, Val,
};
use crate::mutation::seeded;
use crate::sorted::{Map, Set};
use proc_macro2::Span;

/// Rewrites a structured body, in which every `for` runs over `0..n`.
pub(crate) fn running(mut structured: Structured) -> Structured {
    let body = &mut structured.body;
    let mut region = std::mem::take(&mut body.region);
    let mut all = Facts::default();
    all.collect(&region);
    let mut cx = Cx {
        body,
        literals: all.literals,
    };
    cx.region(&mut region);
    cx.body.region = region;
    structured
}

struct Cx<'a> {
    body: &'a mut Body,
    literals: Map<Val, i128>,
}

impl Cx<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut stmts = Vec::with_capacity(region.stmts.len());
        for mut stmt in std::mem::take(&mut region.stmts) {
            for inner in stmt.regions_mut() {
                self.region(inner);
            }
            match stmt {
                Stmt::For(mut f) => {
                    let (mut before, after) = self.steps_of(&mut f);
                    for stmt in &mut before {
                        if let Stmt::Load(v, place) = stmt
                            && let Some(held) = declared_as(&stmts, place.root)
                        {
                            *stmt = Stmt::Let(*v, Op::Copy(held));
                        }
                    }
                    stmts.extend(before);
                    stmts.push(Stmt::For(f));
                    stmts.extend(after);
                }
                stmt => stmts.push(stmt),
            }
        }
        region.stmts = stmts;
    }

    /// Takes running indices out of a loop; returns what comes before and after it.
    fn steps_of(&mut self, f: &mut For) -> (Vec<Stmt>, Vec<Stmt>) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        if f.reversed || f.inclusive {
            return (before, after);
        }
        for (place, step) in self.candidates(f) {
            let base = self.new_usize();
            before.push(Stmt::Load(base, Place::from(place)));
            let mut head = Vec::new();
            let moved = self.added(&step, f.iv, f.hi, &mut head);
            let now = self.usize(Op::Bin(BinOp::Add, base, moved), &mut head);
            let mut current = now;
            for mut stmt in std::mem::take(&mut f.body.stmts) {
                if matches!(&stmt, Stmt::Accumulate { place: p, .. } if *p == Place::from(place)) {
                    if !seeded!(RunningIndexLate) {
                        let step = match step {
                            Step::Outer(v)
                            | Step::Rising { step: v, .. }
                            | Step::Falling { step: v, .. } => v,
                            Step::Literal(c) => self.literal(c, &mut head),
                        };
                        current = self.usize(Op::Bin(BinOp::Add, now, step), &mut head);
                    }
                } else {
                    replace_loads(&mut stmt, place, current);
                    head.push(stmt);
                }
            }
            f.body.stmts = head;
            let total = self.added(&step, f.hi, f.hi, &mut after);
            if !seeded!(RunningTotalLost) {
                after.push(Stmt::Accumulate {
                    place: Place::from(place),
                    negate: false,
                    val: total,
                });
            }
        }
        (before, after)
    }

    /// Places that the loop steps, and by how much.
    fn candidates(&self, f: &For) -> Vec<(PlaceId, Step)> {
        let mut facts = Facts::default();
        facts.inside.insert(f.iv);
        facts.collect(&f.body);
        let mut found = Vec::new();
        for stmt in &f.body.stmts {
            let Stmt::Accumulate {
                place,
                negate: false,
                val,
            } = stmt
            else {
                continue;
            };
            let info = self.body.place(place.root);
            let counts = place.path.is_empty()
                && info.kind == PlaceKind::Local
                && info.ty == Type::usize()
                && facts.writes.get(&place.root) == Some(&1)
                && !facts.opaque.contains(&place.root)
                && facts.loads.contains(&place.root);
            if !counts {
                continue;
            }
            let literal = facts.literals.get(val);
            let step = match literal.or_else(|| self.literals.get(val)) {
                Some(c) => Some(Step::Literal(*c)),
                None if !facts.inside.contains(val) => Some(Step::Outer(*val)),
                None => self.trips_of(*val, f, &facts),
            };
            found.extend(step.map(|step| (place.root, step)));
        }
        found
    }

    /// A step that is the number of trips of `0..j`, `0..=j` or `j..n`, with a `j` that is the trip's number plus
    /// something, and an `n` that it does not go beyond.
    fn trips_of(&self, step: Val, f: &For, facts: &Facts) -> Option<Step> {
        // a loop from 0 has as many trips as its end says
        let (lo, hi, inclusive) = match facts.ops.get(&step) {
            Some(Op::Trips { lo, hi, inclusive }) => (Some(lo), hi, inclusive),
            _ => (None, &step, &false),
        };
        let usize = |v: &Val| self.body.val(*v).ty == Type::usize();
        if !(lo.is_none_or(usize) && usize(hi)) {
            return None;
        }
        let literal = |v: &Val| facts.literals.get(v).or_else(|| self.literals.get(v));
        let Some(lo) = lo.filter(|lo| literal(lo) != Some(&0)) else {
            let from = self.beyond_trip(*hi, f, facts)?;
            let more = from.constant + i128::from(*inclusive);
            // a loop that is not there has no first trip
            let least = from.first.map(|(first, _)| first);
            return (more >= 0).then_some(Step::Rising { step, least, more });
        };
        let from = self.beyond_trip(*lo, f, facts)?;
        // where the last trip's number is, or one farther
        let end = match from.first {
            Some((_, end)) => end == *hi,
            None => f.hi == *hi,
        };
        let less = from.constant;
        let within = !*inclusive && end && (less == 0 || less == 1);
        within.then_some(Step::Falling { step, less })
    }

    /// The trip's number, or the variable of the loop that it stands for, plus a constant.
    fn beyond_trip(&self, v: Val, f: &For, facts: &Facts) -> Option<FromTrip> {
        if v == f.iv {
            return Some(FromTrip {
                first: None,
                constant: 0,
            });
        }
        match facts.ops.get(&v)? {
            Op::Copy(a) => self.beyond_trip(*a, f, facts),
            Op::Bin(BinOp::Add, a, b) => {
                let literal = |v: &Val| facts.literals.get(v).or_else(|| self.literals.get(v));
                let (of, c) = match (literal(a), literal(b)) {
                    (None, Some(c)) => (*a, *c),
                    (Some(c), None) => (*b, *c),
                    _ => return None,
                };
                let from = self.beyond_trip(of, f, facts)?;
                Some(FromTrip {
                    constant: from.constant.checked_add(c)?,
                    ..from
                })
            }
            Op::Induction {
                lo,
                hi,
                inclusive: false,
                reversed: false,
                trip,
            } if *trip == f.iv
                && self.body.val(v).ty == self.body.val(f.iv).ty
                && !facts.inside.contains(lo)
                && !facts.inside.contains(hi) =>
            {
                Some(FromTrip {
                    first: Some((*lo, *hi)),
                    constant: 0,
                })
            }
            _ => None,
        }
    }

    /// What so many trips add, of `n` in all.
    fn added(&mut self, step: &Step, trips: Val, n: Val, out: &mut Vec<Stmt>) -> Val {
        let usize = |cx: &mut Self, op, a, b, out: &mut Vec<Stmt>| cx.usize(Op::Bin(op, a, b), out);
        let (add, sub, mul) = (BinOp::Add, BinOp::Sub, BinOp::Mul);
        match *step {
            Step::Literal(1) => trips,
            Step::Literal(c) => {
                let c = self.literal(c, out);
                usize(self, mul, trips, c, out)
            }
            Step::Outer(v) => usize(self, mul, trips, v, out),
            Step::Rising { least, more, .. } => {
                let mut sum = self.triangle(trips, out);
                if let Some(least) = least {
                    let each = usize(self, mul, trips, least, out);
                    sum = usize(self, add, sum, each, out);
                }
                if more == 0 && !seeded!(RisingOneMore) {
                    sum = usize(self, sub, sum, trips, out);
                } else if more > 1 {
                    let c = self.literal(more - 1, out);
                    let each = usize(self, mul, trips, c, out);
                    sum = usize(self, add, sum, each, out);
                }
                sum
            }
            Step::Falling { less, .. } => {
                let mut sum = usize(self, mul, trips, n, out);
                if less == 0 && !seeded!(FallingOneLess) {
                    sum = usize(self, add, sum, trips, out);
                }
                let triangle = self.triangle(trips, out);
                usize(self, sub, sum, triangle, out)
            }
        }
    }

    /// `1 + 2 + .. + n`
    fn triangle(&mut self, n: Val, out: &mut Vec<Stmt>) -> Val {
        let (one, two) = (self.literal(1, out), self.literal(2, out));
        let next = self.usize(Op::Bin(BinOp::Add, n, one), out);
        let twice = self.usize(Op::Bin(BinOp::Mul, n, next), out);
        self.usize(Op::Bin(BinOp::Div, twice, two), out)
    }

    fn literal(&mut self, c: i128, out: &mut Vec<Stmt>) -> Val {
        let v = self.usize(Op::Lit(Lit::Int(c)), out);
        self.literals.insert(v, c);
        v
    }

    fn new_usize(&mut self) -> Val {
        self.body.new_val(Type::usize(), None, Span::call_site())
    }

    fn usize(&mut self, op: Op, out: &mut Vec<Stmt>) -> Val {
        let v = self.new_usize();
        out.push(Stmt::Let(v, op));
        v
    }
}

enum Step {
    /// A value from outside of the loop.
    Outer(Val),
    Literal(i128),
    /// `least + more`, and one more in each trip.
    Rising {
        step: Val,
        least: Option<Val>,
        more: i128,
    },
    /// The number of all trips less `less`, and one less in each trip.
    Falling {
        step: Val,
        less: i128,
    },
}

/// The trip's number plus a constant.
struct FromTrip {
    /// The bounds of the loop whose variable it is, if that is not the trip's number: the first is added.
    first: Option<(Val, Val)>,
    constant: i128,
}

/// What a loop does to places.
#[derive(Default)]
struct Facts {
    inside: Set<Val>,
    literals: Map<Val, i128>,
    ops: Map<Val, Op>,
    /// Number of statements that write to a place, wherever in the loop.
    writes: Map<PlaceId, usize>,
    loads: Set<PlaceId>,
    /// Places used in other ways than by loads and writes of their own value, or declared inside.
    opaque: Set<PlaceId>,
}

impl Facts {
    fn collect(&mut self, region: &Region) {
        for stmt in region.all() {
            self.inside.extend(lets_of(stmt));
            match stmt {
                Stmt::Let(v, Op::Lit(Lit::Int(c))) => {
                    self.literals.insert(*v, *c);
                }
                Stmt::Let(v, op) => {
                    self.ops.insert(*v, op.clone());
                }
                Stmt::Load(_, p) => {
                    self.loads.insert(p.root);
                }
                Stmt::Store(p, _) | Stmt::Accumulate { place: p, .. } => {
                    *self.writes.get_or_default(p.root) += 1;
                }
                Stmt::Declare(p, init) => {
                    self.opaque.insert(*p);
                    if let Init::MoveOf(from) = init {
                        self.opaque.insert(*from);
                    }
                    self.other(stmt);
                }
                Stmt::For(For { iv, .. }) => {
                    self.inside.insert(*iv);
                }
                Stmt::While { trip, .. } => self.inside.extend(trip),
                _ => self.other(stmt),
            }
        }
    }

    fn other(&mut self, stmt: &Stmt) {
        self.opaque.extend(stmt.named());
    }
}

/// The value that a place has after these statements, if it is the one it was declared with.
fn declared_as(stmts: &[Stmt], place: PlaceId) -> Option<Val> {
    for stmt in stmts.iter().rev() {
        if let Stmt::Declare(p, Init::Scalar(v)) = stmt
            && *p == place
        {
            return Some(*v);
        }
        if names(stmt, place) {
            return None;
        }
    }
    None
}

/// Whether a statement has to do with a place.
fn names(stmt: &Stmt, place: PlaceId) -> bool {
    matches!(stmt, Stmt::Declare(p, _) if *p == place) || uses(stmt, place)
}

fn replace_loads(stmt: &mut Stmt, place: PlaceId, by: Val) {
    stmt.change_all(&mut |stmt| {
        if let Stmt::Load(v, p) = stmt
            && p.root == place
        {
            *stmt = Stmt::Let(*v, Op::Copy(by));
        }
    });
}
