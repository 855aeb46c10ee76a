//! Loops in the form that compiles to fast code: what does not change in a loop is computed before it, and rows are
//! cut to the loop's length once, so that nothing is checked inside. In the adjoint sweep, elements that all trips
//! add to are kept in a register.
//!
//! All of it stands under a test that there is a trip. What it computes or checks is computed or
//! checked in each trip in any case, so a failure comes earlier, never anew.

mod accumulators;
mod affine;
mod overlap;
mod rows;
mod window;

use crate::analysis::record::lets_of;
use crate::analysis::views::Views;
use crate::ir::{
    Arg, BinOp, Body, CmpOp, For, FrameMode, Lit, Op, Place, PlaceId, PlaceKind, Region, Stmt,
    Tape, Type, Val,
};
use crate::mutation::seeded;
use crate::sorted::{Map, Set};
use proc_macro2::Span;

/// Rewrites the loops of an adjoint sweep.
pub(crate) fn tighten(body: &mut Body) {
    rewrite(body, Sweep::Adjoint);
}

/// Cuts rows for the innermost loops of a forward sweep that do nothing but compute, and takes out what does not
/// change. A panic for an index comes before the loop then, instead of inside.
pub(crate) fn cut_rows(body: &mut Body) {
    rewrite(body, Sweep::Forward);
}

fn rewrite(body: &mut Body, sweep: Sweep) {
    let mut region = std::mem::take(&mut body.region);
    let views = Views::of(body);
    let mut cx = Cx {
        sweep,
        body,
        views,
        literals: Map::new(),
        multiples: Map::new(),
        ops: Map::new(),
        around: Vec::new(),
    };
    cx.region(&mut region);
    cx.body.region = region;
}

#[derive(Clone, Copy, PartialEq)]
enum Sweep {
    Forward,
    Adjoint,
}

struct Cx<'a> {
    sweep: Sweep,
    body: &'a mut Body,
    views: Views,
    /// Integer literals seen so far.
    literals: Map<Val, i128>,
    /// Products of these with something else.
    multiples: Map<Val, (i128, Val)>,
    /// Operations seen so far.
    ops: Map<Val, Op>,
    /// Induction variables of the loops around, the innermost last.
    around: Vec<Val>,
}

impl Cx<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut stmts = Vec::with_capacity(region.stmts.len());
        for mut stmt in std::mem::take(&mut region.stmts) {
            if let Stmt::Let(v, Op::Lit(Lit::Int(c))) = &stmt {
                self.literals.insert(*v, *c);
            }
            self.note_multiple(&stmt);
            if let Stmt::Let(v, op) = &stmt {
                self.ops.insert(*v, op.clone());
            }
            let around = match &stmt {
                Stmt::For(f) => Some(f.iv),
                _ => None,
            };
            self.around.extend(around);
            for inner in stmt.regions_mut() {
                self.region(inner);
            }
            if around.is_some() {
                self.around.pop();
            }
            match stmt {
                Stmt::For(f)
                    if f.frame.mode != FrameMode::Pushed
                        && self.literals.get(&f.lo) == Some(&0)
                        && !f.inclusive =>
                {
                    self.tight_loop(f, &mut stmts);
                }
                stmt => stmts.push(stmt),
            }
        }
        region.stmts = stmts;
    }

    fn note_multiple(&mut self, stmt: &Stmt) {
        let Stmt::Let(v, Op::Bin(BinOp::Mul, a, b)) = stmt else {
            return;
        };
        let known = |v: &Val| self.literals.get(v).copied();
        if let Some(found) = match (known(a), known(b)) {
            (Some(c), None) => Some((c, *b)),
            (None, Some(c)) => Some((c, *a)),
            _ => None,
        } {
            self.multiples.insert(*v, found);
        }
    }

    fn tight_loop(&mut self, mut f: For, out: &mut Vec<Stmt>) {
        let mut facts = Facts::of(&f, &self.views);
        if self.sweep == Sweep::Forward && !f.body.stmts.iter().all(computes) {
            out.push(Stmt::For(f));
            return;
        }
        let mut before = self.hoist(&mut f, &mut facts);
        let mut after = Vec::new();
        if self.sweep == Sweep::Adjoint {
            after = self.accumulators(&mut f, &facts, &mut before);
            after.extend(self.windows(&mut f, &mut facts, &mut before));
        }
        self.rows(&mut f, &facts, &mut before);
        f.overlapping = self.sweep == Sweep::Forward && self.is_overlapping(&f, &before);
        let simple = |stmt: &Stmt| matches!(stmt, Stmt::Let(_, Op::Lit(_)));
        if after.is_empty() && before.iter().all(simple) {
            out.extend(before);
            out.push(Stmt::For(f));
            return;
        }
        let cond = self.body.new_val(Type::Bool, None, Span::call_site());
        out.push(Stmt::Let(cond, Op::Cmp(CmpOp::Lt, f.lo, f.hi)));
        before.push(Stmt::For(f));
        before.extend(after);
        out.push(Stmt::If {
            cond,
            then: Region {
                stmts: before,
                ..Region::default()
            },
            els: Region::default(),
            results: Vec::new(),
        });
    }

    /// Takes out what each trip computes alike: integers, and loads from `&` parameters.
    fn hoist(&mut self, f: &mut For, facts: &mut Facts) -> Vec<Stmt> {
        let mut before = Vec::new();
        let mut kept = Vec::with_capacity(f.body.stmts.len());
        for stmt in std::mem::take(&mut f.body.stmts) {
            let alike = match &stmt {
                Stmt::Let(v, op) => {
                    let integer = matches!(self.body.val(*v).ty, Type::Int(_));
                    integer
                        && match op {
                            Op::Lit(_) | Op::Copy(_) | Op::Bin(..) | Op::Neg(_) | Op::Not(_) => {
                                true
                            }
                            Op::Trips { .. } | Op::Induction { .. } => true,
                            Op::Len(place) => self.is_shared(place),
                            _ => false,
                        }
                }
                Stmt::Load(_, place) => {
                    let root = self.views.root(place.root);
                    self.is_shared(place)
                        || seeded!(LoadTakenOut) && !facts.declared.contains(&root)
                }
                _ => false,
            };
            if alike && stmt.uses().iter().all(|v| !facts.inside.contains(v)) {
                for v in lets_of(&stmt) {
                    facts.inside.remove(&v);
                }
                before.push(stmt);
            } else {
                kept.push(stmt);
            }
        }
        f.body.stmts = kept;
        before
    }

    fn is_shared(&self, place: &Place) -> bool {
        let root = self.views.root(place.root);
        matches!(self.body.place(root).kind, PlaceKind::SharedParam(_))
    }
}

/// Whether a statement of a forward sweep computes, and no more: it goes on to the next, or there is a panic.
fn computes(stmt: &Stmt) -> bool {
    match stmt {
        // the user's code may do anything
        Stmt::Let(_, op) => !matches!(op, Op::Verbatim { .. }),
        _ => matches!(
            stmt,
            Stmt::Load(..) | Stmt::Store(..) | Stmt::Accumulate { .. } | Stmt::Record(..)
        ),
    }
}

/// What a loop defines, and what it does to places.
struct Facts {
    /// Values defined in the loop, its induction variable included.
    inside: Set<Val>,
    /// Operations of those that are results of one.
    ops: Map<Val, Op>,
    /// By root, through views.
    accesses: Map<PlaceId, Vec<Access>>,
    /// Roots declared in the loop.
    declared: Set<PlaceId>,
}

/// A use of a place.
struct Access {
    place: Place,
    writes: bool,
    /// Happens in each trip.
    always: bool,
    /// Of one element, by a load, store or accumulation.
    element: bool,
    /// An accumulation, and whether it is negated.
    adds: bool,
}

impl Facts {
    fn of(f: &For, views: &Views) -> Facts {
        let mut facts = Facts {
            inside: Set::from_iter([f.iv]),
            ops: Map::new(),
            accesses: Map::new(),
            declared: Set::new(),
        };
        facts.collect(&f.body, views, true);
        facts
    }

    fn collect(&mut self, region: &Region, views: &Views, always: bool) {
        for stmt in &region.stmts {
            self.inside.extend(lets_of(stmt));
            match stmt {
                Stmt::Let(v, op) => {
                    self.ops.insert(*v, op.clone());
                }
                Stmt::For(For { iv, .. }) => {
                    self.inside.insert(*iv);
                }
                Stmt::While { trip, .. } => self.inside.extend(trip),
                Stmt::Declare(p, _)
                | Stmt::View { view: p, .. }
                | Stmt::Tape(Tape::Kept { place: p, .. }) => {
                    self.declared.insert(*p);
                }
                _ => {}
            }
            self.note(stmt, views, always);
            for inner in stmt.regions() {
                self.collect(inner, views, false);
            }
        }
    }

    fn note(&mut self, stmt: &Stmt, views: &Views, always: bool) {
        if !stmt.regions().is_empty() {
            return;
        }
        let element = matches!(
            stmt,
            Stmt::Load(..) | Stmt::Store(..) | Stmt::Accumulate { .. }
        );
        let adds = matches!(stmt, Stmt::Accumulate { .. });
        let written = written_roots(stmt);
        let mut add = |place: &Place, writes: bool| {
            self.accesses
                .get_or_default(views.root(place.root))
                .push(Access {
                    place: place.clone(),
                    writes,
                    always,
                    element,
                    adds,
                });
        };
        stmt.clone()
            .each_place(&mut |place| add(place, written.contains(&place.root)));
        stmt.each_named(&mut |root| add(&Place::from(root), true));
    }
}

/// Roots that a statement may write to.
pub(crate) fn written_roots(stmt: &Stmt) -> Vec<PlaceId> {
    let lent = |args: &[&Arg]| -> Vec<PlaceId> {
        args.iter()
            .filter_map(|a| match a {
                Arg::Mut(p) | Arg::Place(p) => Some(p.root),
                Arg::Value(_) | Arg::Ref(_) | Arg::Verbatim { .. } => None,
            })
            .collect()
    };
    match stmt {
        Stmt::Storage(s) => s.places(),
        Stmt::Declare(_, crate::ir::Init::MoveOf(p)) => vec![*p],
        Stmt::Store(p, _) | Stmt::Accumulate { place: p, .. } | Stmt::Zero(p) => vec![p.root],
        Stmt::CopyPlace { dst, .. } | Stmt::AccumulatePlace { dst, .. } => vec![dst.root],
        Stmt::View { of, mutable, .. } if *mutable => vec![of.root],
        Stmt::Call(c) => lent(&c.args.iter().collect::<Vec<_>>()),
        Stmt::TangentCall(c) => {
            let all = c.call.args.iter().chain(c.tangents.iter().flatten());
            lent(&all.collect::<Vec<_>>())
        }
        Stmt::AugmentedCall(c) => lent(&c.call.args.iter().collect::<Vec<_>>()),
        Stmt::ReverseCall(c) => {
            let all = c.args.iter().flatten().chain(c.adjoints.iter().flatten());
            lent(&all.collect::<Vec<_>>())
        }
        Stmt::Let(..)
        | Stmt::Load(..)
        | Stmt::Declare(..)
        | Stmt::View { .. }
        | Stmt::If { .. }
        | Stmt::For(_)
        | Stmt::While { .. }
        | Stmt::Effect(_)
        | Stmt::Block { .. }
        | Stmt::Record(..)
        | Stmt::Tape(_)
        | Stmt::First(_) => Vec::new(),
    }
}
