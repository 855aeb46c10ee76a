//! Order of adjoint loops: which of them may run upwards.

use crate::ir::{Arg, Leaf, ON_TAPE, Op, Place, PlaceId, Proj, Region, ReverseCall, Stmt, Val};
use crate::sorted::{Map, Set};

/// What a loop body does to the lane places that outlive a trip.
#[derive(Default)]
struct Uses {
    local: Set<PlaceId>,
    loads: Vec<Place>,
    accumulations: Vec<Place>,
    writes: Vec<Place>,
    /// Values equal to the trip number or to an induction variable.
    injective: Set<Val>,
    opaque: bool,
    /// Reads what the forward sweep left on the tape in the same trip.
    tape: bool,
}

/// What the trips of an adjoint loop have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The adjoints of one trip depend on those of others.
    Dependent,
    /// The trips commute, if each finds its own entries of the tape.
    OnTape,
    /// The trips commute.
    Free,
}

/// Whether the trips of an adjoint loop commute: shadows that outlive a trip are only added to and
/// not read, or touched at one index alone that differs from trip to trip. Only rounding depends
/// on the order then. `scratch`: shadows of places that each trip renews.
pub(super) fn order(body: &Region, trip: Val, scratch: &Set<PlaceId>) -> Order {
    let mut uses = Uses {
        local: scratch.clone(),
        ..Uses::default()
    };
    uses.injective.insert(trip);
    collect(body, &mut uses);
    if uses.opaque {
        return Order::Dependent;
    }
    let mut by_root: Map<PlaceId, Vec<&Place>> = Map::new();
    let loaded: Set<PlaceId> = uses.loads.iter().map(|p| p.root).collect();
    let written: Set<PlaceId> = uses.writes.iter().map(|p| p.root).collect();
    for p in uses
        .loads
        .iter()
        .chain(&uses.accumulations)
        .chain(&uses.writes)
    {
        if !uses.local.contains(&p.root) {
            by_root.get_or_default(p.root).push(p);
        }
    }
    let commute = by_root.iter().all(|(root, places)| {
        let changed = written.contains(root) || uses.accumulations.iter().any(|p| p.root == *root);
        let only_added = !loaded.contains(root) && !written.contains(root);
        let own_index = places.windows(2).all(|w| w[0].path == w[1].path)
            && places[0]
                .path
                .iter()
                .any(|s| matches!(s, Proj::Index(i) if uses.injective.contains(i)));
        !changed || only_added || own_index
    });
    match (commute, uses.tape) {
        (false, _) => Order::Dependent,
        (true, true) => Order::OnTape,
        (true, false) => Order::Free,
    }
}

fn collect(region: &Region, uses: &mut Uses) {
    for stmt in &region.stmts {
        match stmt {
            Stmt::Load(_, p) => uses.loads.push(p.clone()),
            Stmt::Store(p, _) | Stmt::Zero(p) => uses.writes.push(p.clone()),
            Stmt::Accumulate { place, .. } => uses.accumulations.push(place.clone()),
            Stmt::AccumulatePlace { dst, src } => {
                uses.accumulations.push(dst.clone());
                uses.loads.push(src.clone());
            }
            Stmt::Declare(p, _) => {
                uses.local.insert(*p);
            }
            Stmt::Let(v, Op::Induction { trip, .. }) if uses.injective.contains(trip) => {
                uses.injective.insert(*v);
            }
            Stmt::Let(_, Op::LaneSum(p)) => uses.loads.push(p.clone()),
            Stmt::Let(..) => {}
            Stmt::For(f) if f.frame.mode != crate::ir::FrameMode::None => uses.tape = true,
            Stmt::ReverseCall(c) => call(c, uses),
            Stmt::AugmentedCall(_) | Stmt::TangentCall(_) | Stmt::Call(_) => uses.opaque = true,
            Stmt::Storage(_) => uses.opaque = true,
            Stmt::CopyPlace { .. } => uses.opaque = true,
            Stmt::Tape(_) => uses.opaque = true,
            Stmt::View { .. }
            | Stmt::Record(..)
            | Stmt::Effect(_)
            | Stmt::Block { .. }
            | Stmt::First(_)
            | Stmt::If { .. }
            | Stmt::For(_)
            | Stmt::While { .. } => {}
        }
        for inner in stmt.regions() {
            collect(inner, uses);
        }
    }
}

/// A callee adds to the adjoints of what it has behind `&` or by value, and changes the others. What it
/// leaves on the tape is looked after where the loop is written out.
fn call(c: &ReverseCall, uses: &mut Uses) {
    uses.tape |= c.record == ON_TAPE;
    for (arg, adjoint) in c.call.args.iter().zip(&c.adjoints) {
        if let Some(Arg::Mut(p) | Arg::Ref(p) | Arg::Place(p)) = adjoint {
            uses.accumulations.push(p.clone());
            if !matches!(arg, Arg::Ref(_) | Arg::Value(_)) {
                uses.loads.push(p.clone());
                uses.writes.push(p.clone());
            }
        }
    }
    for leaf in c.result.leaves().into_iter().flatten() {
        if let Leaf::Place(p) = leaf {
            let place = Place::from(*p);
            uses.loads.push(place.clone());
            uses.writes.push(place);
        }
    }
}
