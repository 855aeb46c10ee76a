//! Running indices: an integer that a loop steps by the same amount in each trip is computed from
//! the trip's number, so that its values need not be recorded one by one.
//!
//! `l += c` must be the only write to `l` in the loop, stand directly in its body and so happen once
//! in each trip, and `c` must be known before the loop. Then `l` is `l0 + trip c` before it and one
//! `c` more after it: the very values it had.

use super::structure::Structured;
use crate::analysis::activity::regions_of;
use crate::analysis::record::lets_of;
use crate::ir::{
    BinOp, Body, For, Init, Lit, Op, Place, PlaceId, PlaceKind, Region, Stmt, Type, Val,
};
use crate::mutation::seeded;
use proc_macro2::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Rewrites a structured body, in which every `for` runs over `0..n`.
pub(crate) fn running(structured: Structured) -> Structured {
    let Structured {
        mut body,
        lens,
        growing,
        results,
    } = structured;
    let mut region = std::mem::take(&mut body.region);
    let mut all = Facts::default();
    all.collect(&region);
    let mut cx = Cx {
        body: &mut body,
        literals: all.literals,
    };
    cx.region(&mut region);
    body.region = region;
    Structured {
        body,
        lens,
        growing,
        results,
    }
}

struct Cx<'a> {
    body: &'a mut Body,
    literals: BTreeMap<Val, i128>,
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
                    let (before, after) = self.steps_of(&mut f);
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
            let step = match step {
                Step::Outer(v) => v,
                Step::Literal(c) => {
                    let v = self.usize(Op::Lit(Lit::Int(c)), &mut before);
                    self.literals.insert(v, c);
                    v
                }
            };
            let one = self.literals.get(&step) == Some(&1);
            let base = self.new_usize();
            before.push(Stmt::Load(base, whole(place)));
            let mut head = Vec::new();
            let moved = if one {
                f.iv
            } else {
                self.usize(Op::Bin(BinOp::Mul, f.iv, step), &mut head)
            };
            let now = self.usize(Op::Bin(BinOp::Add, base, moved), &mut head);
            let mut current = now;
            for mut stmt in std::mem::take(&mut f.body.stmts) {
                if matches!(&stmt, Stmt::Accumulate { place: p, .. } if *p == whole(place)) {
                    if !seeded!(RunningIndexLate) {
                        current = self.usize(Op::Bin(BinOp::Add, now, step), &mut head);
                    }
                } else {
                    replace_loads(&mut stmt, place, current);
                    head.push(stmt);
                }
            }
            f.body.stmts = head;
            let total = if one {
                f.hi
            } else {
                self.usize(Op::Bin(BinOp::Mul, f.hi, step), &mut after)
            };
            if !seeded!(RunningTotalLost) {
                after.push(Stmt::Accumulate {
                    place: whole(place),
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
                && info.ty == Type::Int("usize".to_owned())
                && facts.writes.get(&place.root) == Some(&1)
                && !facts.opaque.contains(&place.root)
                && facts.loads.contains(&place.root);
            if !counts {
                continue;
            }
            let step = match facts.literals.get(val) {
                Some(c) => Some(Step::Literal(*c)),
                None => (!facts.inside.contains(val)).then_some(Step::Outer(*val)),
            };
            found.extend(step.map(|step| (place.root, step)));
        }
        found
    }

    fn new_usize(&mut self) -> Val {
        self.body
            .new_val(Type::Int("usize".to_owned()), None, Span::call_site())
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
}

/// What a loop does to places.
#[derive(Default)]
struct Facts {
    inside: BTreeSet<Val>,
    literals: BTreeMap<Val, i128>,
    /// Number of statements that write to a place, wherever in the loop.
    writes: BTreeMap<PlaceId, usize>,
    loads: BTreeSet<PlaceId>,
    /// Places used in other ways than by loads and writes of their own value, or declared inside.
    opaque: BTreeSet<PlaceId>,
}

impl Facts {
    fn collect(&mut self, region: &Region) {
        for stmt in &region.stmts {
            self.inside.extend(lets_of(stmt));
            match stmt {
                Stmt::Let(v, Op::Lit(Lit::Int(c))) => {
                    self.literals.insert(*v, *c);
                }
                Stmt::Load(_, p) => {
                    self.loads.insert(p.root);
                }
                Stmt::Store(p, _) | Stmt::Accumulate { place: p, .. } => {
                    *self.writes.entry(p.root).or_default() += 1;
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
            for inner in regions_of(stmt) {
                self.collect(inner);
            }
        }
    }

    fn other(&mut self, stmt: &Stmt) {
        if regions_of(stmt).is_empty() {
            let opaque = &mut self.opaque;
            stmt.clone().each_place(&mut |p| {
                opaque.insert(p.root);
            });
            stmt.each_named(&mut |p| {
                opaque.insert(p);
            });
        }
    }
}

fn whole(root: PlaceId) -> Place {
    Place {
        root,
        path: Vec::new(),
    }
}

fn replace_loads(stmt: &mut Stmt, place: PlaceId, by: Val) {
    if let Stmt::Load(v, p) = stmt
        && p.root == place
    {
        *stmt = Stmt::Let(*v, Op::Copy(by));
        return;
    }
    for inner in stmt.regions_mut() {
        for stmt in &mut inner.stmts {
            replace_loads(stmt, place, by);
        }
    }
}
