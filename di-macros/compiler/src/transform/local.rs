//! What local vectors begin with, and what the adjoints of such end with, which the adjoint sweep makes and drops.
//!
//! They begin as zeros, to which what reads the vector adds; what stored an element takes its adjoint and leaves zero,
//! for whatever stored there earlier. Where the first that is done with one is a loop that adds to each element once,
//! the loop writes instead, into a buffer with any content. Where the last is a loop that takes each element once,
//! nobody sees the zeros that it leaves. Results are the same but for the sign of zeros.
//!
//! In the forward sweep a vector begins with what it is filled with. Where the first that is done with it is a loop that
//! stores each element, nobody reads that.

use super::first::{uses, written};
use crate::ir::{
    Body, CmpOp, Exit, For, Init, Lit, Op, Place, PlaceId, PlaceKind, Proj, Region, Stmt, Type, Val,
};
use crate::mutation::seeded;
use crate::sorted::{Map, Set};

/// Rewrites an adjoint sweep whose loops have been tightened.
pub(crate) fn local_adjoints(body: &mut Body) {
    let mut region = std::mem::take(&mut body.region);
    let known = Known::of(&region);
    rewrite(&mut region, &known, body);
    body.region = region;
}

/// Rewrites a forward sweep whose loops are cut to rows.
pub(crate) fn stored_vectors(body: &mut Body) {
    let mut region = std::mem::take(&mut body.region);
    let known = Known::of(&region);
    begin_with_anything(&mut region, &known, body);
    body.region = region;
}

/// Values that are the same in each run, and comparisons.
#[derive(Default)]
struct Known {
    zeros: Set<Val>,
    lanes: Set<Val>,
    /// `a < b`
    less: Map<Val, (Val, Val)>,
}

impl Known {
    fn of(region: &Region) -> Known {
        let mut known = Known::default();
        region.all().for_each(|stmt| match stmt {
            Stmt::Let(v, Op::Lit(Lit::Int(0))) => {
                known.zeros.insert(*v);
            }
            Stmt::Let(v, Op::LaneZero) => {
                known.lanes.insert(*v);
            }
            Stmt::Let(v, Op::Cmp(CmpOp::Lt, a, b)) => {
                known.less.insert(*v, (*a, *b));
            }
            _ => {}
        });
        known
    }

    /// Whether a range is all of `0..n`.
    fn is_all(&self, lo: Val, hi: Val, n: Val) -> bool {
        (self.zeros.contains(&lo) && hi == n) || seeded!(LocalTakenForWritten)
    }
}

fn rewrite(region: &mut Region, known: &Known, body: &mut Body) {
    for stmt in &mut region.stmts {
        stmt.regions_mut()
            .into_iter()
            .for_each(|inner| rewrite(inner, known, body));
    }
    for at in 0..region.stmts.len() {
        let (before, after) = region.stmts.split_at_mut(at + 1);
        let Some(Stmt::Declare(local, init @ Init::ZeroLen(_))) = before.last_mut() else {
            continue;
        };
        let info = body.place(*local);
        let lanes = matches!(&info.ty, Type::Vec(t) if **t == Type::Lane);
        // by another name at this level, what is first and last would be seen too late and too early
        let viewed = |stmt: &Stmt| matches!(stmt, Stmt::View { of, .. } if of.root == *local);
        if !lanes || info.kind != PlaceKind::Local || after.iter().any(viewed) {
            continue;
        }
        if let Init::ZeroLen(n) = *init
            && let Some(first) = after.iter_mut().find(|stmt| uses(stmt, *local))
            && write_all(first, (*local, n), known, body, write_each)
        {
            *init = Init::AnyLen(n);
        }
        // each run of the region makes one of its own, so that nothing comes after the last statement that names it
        let mut users = after.iter_mut().filter(|stmt| uses(stmt, *local));
        if seeded!(LocalTakenForLeft) {
            users.for_each(|stmt| leave(stmt, *local, known));
        } else if let Some(last) = users.next_back() {
            leave(last, *local, known);
        }
    }
}

fn begin_with_anything(region: &mut Region, known: &Known, body: &mut Body) {
    for stmt in &mut region.stmts {
        stmt.regions_mut()
            .into_iter()
            .for_each(|inner| begin_with_anything(inner, known, body));
    }
    for at in 0..region.stmts.len() {
        let (before, after) = region.stmts.split_at_mut(at + 1);
        let Some(Stmt::Declare(local, init @ Init::VecFill(..))) = before.last_mut() else {
            continue;
        };
        let info = body.place(*local);
        let floats = matches!(&info.ty, Type::Vec(t) if **t == Type::Float);
        if floats
            && info.kind == PlaceKind::Local
            && let Init::VecFill(_, n) = *init
            && let Some(first) = after.iter_mut().find(|stmt| uses(stmt, *local))
            && write_all(first, (*local, n), known, body, stores_each)
        {
            *init = Init::AnyLen(n);
        }
    }
}

/// Whether each trip stores its element before it reads it, and there are all trips.
fn stores_each(f: &mut For, root: PlaceId, _: &mut Body) -> bool {
    let ends = |region: &Region| matches!(region.exit, Exit::Yield(_));
    let mut users = f.body.stmts.iter().filter(|stmt| uses(stmt, root));
    !f.inclusive
        && has_one_each(f, root)
        && matches!(users.next(), Some(Stmt::Store(..)))
        && f.body.all_regions().all(ends)
}

/// Makes a statement write all elements with the trips of a loop, where the first that it does is to add to each; or
/// finds that `each` trip does so.
fn write_all(
    stmt: &mut Stmt,
    (local, n): (PlaceId, Val),
    known: &Known,
    body: &mut Body,
    each: fn(&mut For, PlaceId, &mut Body) -> bool,
) -> bool {
    match stmt {
        Stmt::For(f) => known.is_all(f.lo, f.hi, n) && each(f, local, body),
        // without trips there are no elements
        Stmt::If {
            cond,
            then,
            els,
            results,
        } => {
            let trips = known.less.get(cond).copied();
            let guards = trips.is_some_and(|(lo, hi)| known.is_all(lo, hi, n));
            if !guards || !results.is_empty() || els.stmts.iter().any(|s| uses(s, local)) {
                return false;
            }
            let Some(at) = then.stmts.iter().position(|s| uses(s, local)) else {
                return false;
            };
            let (root, from) = match &then.stmts[at] {
                Stmt::View { view, of, .. } if is_whole(of, n, known) => (*view, at + 1),
                Stmt::For(_) => (local, at),
                _ => return false,
            };
            let of_it = |s: &&mut Stmt| uses(s, root) || uses(s, local);
            match then.stmts[from..].iter_mut().find(of_it) {
                Some(Stmt::For(f)) if root == local || !in_loop(f, local) => {
                    known.is_all(f.lo, f.hi, n) && each(f, root, body)
                }
                _ => false,
            }
        }
        _ => false,
    }
}

fn is_whole(place: &Place, n: Val, known: &Known) -> bool {
    matches!(place.path.as_slice(), [Proj::Range(lo, hi)] if known.is_all(*lo, *hi, n))
}

fn in_loop(f: &For, place: PlaceId) -> bool {
    f.body.stmts.iter().any(|stmt| uses(stmt, place))
}

/// Makes each trip write its element, if it has one and adds to it first.
fn write_each(f: &mut For, root: PlaceId, body: &mut Body) -> bool {
    if f.inclusive || !has_one_each(f, root) {
        return false;
    }
    let Some(at) = f.body.stmts.iter().position(|stmt| uses(stmt, root)) else {
        return false;
    };
    let Stmt::Accumulate { place, negate, val } = f.body.stmts[at].clone() else {
        return false;
    };
    let write = written(place, negate, val, body);
    f.body.stmts.splice(at..=at, write);
    true
}

/// Whether all that the trips of a loop do with it is to read and write the element with the number of the trip.
fn has_one_each(f: &For, root: PlaceId) -> bool {
    let of_trip = |stmt: &Stmt| match stmt {
        Stmt::Load(_, place) | Stmt::Store(place, _) | Stmt::Accumulate { place, .. } => {
            place.path == [Proj::Index(f.iv)]
        }
        _ => false,
    };
    let mut users = f.body.stmts.iter().filter(|stmt| uses(stmt, root));
    users.all(of_trip)
}

/// Takes out the zeros that a statement leaves, where it sees none of them itself.
fn leave(stmt: &mut Stmt, local: PlaceId, known: &Known) {
    match stmt {
        Stmt::For(f) => leave_each(f, local, known),
        Stmt::If { then, els, .. } => {
            for arm in [then, els] {
                let mut names = vec![local];
                for stmt in &arm.stmts {
                    match stmt {
                        Stmt::View { view, of, .. } if names.contains(&of.root) => {
                            names.push(*view);
                        }
                        _ => {}
                    }
                }
                let named = |stmt: &&mut Stmt| names.iter().any(|name| uses(stmt, *name));
                let Some(Stmt::For(f)) = arm.stmts.iter_mut().rfind(named) else {
                    continue;
                };
                // by two names, two trips may have one element
                let mut within = names.iter().filter(|name| in_loop(f, **name));
                if let (Some(name), None) = (within.next(), within.next()) {
                    leave_each(f, *name, known);
                }
            }
        }
        _ => {}
    }
}

fn leave_each(f: &mut For, root: PlaceId, known: &Known) {
    if !has_one_each(f, root) {
        return;
    }
    let last = f.body.stmts.iter().rposition(|stmt| uses(stmt, root));
    if let Some(at) = last
        && matches!(&f.body.stmts[at], Stmt::Store(_, v) if known.lanes.contains(v))
    {
        f.body.stmts.remove(at);
    }
}
