//! What is set to zero, and added to right after, is written instead.
//!
//! `v[i] = f(v[i])` takes the adjoint of `v[i]`, leaves zero, and adds to it what the new element owes to the old one.
//! Nobody sees the zero. Results are the same but for the sign of zeros.

use super::first::written;
use crate::analysis::views::Views;
use crate::ir::{Body, Place, PlaceId, Region, Stmt, Type, Val};
use crate::mutation::seeded;
use crate::sorted::{Map, Set};

/// Rewrites an adjoint sweep.
pub(crate) fn write_cleared(body: &mut Body) {
    let known = Known {
        zeros: body.region.zero_lanes(),
        views: Views::of(body),
    };
    let mut region = std::mem::take(&mut body.region);
    rewrite(&mut region, &known, body);
    body.region = region;
}

/// Values that are zero, and views.
struct Known {
    zeros: Set<Val>,
    views: Views,
}

impl Known {
    /// What holds the elements, by whatever name they go.
    fn storage(&self, place: PlaceId) -> PlaceId {
        self.views.root(place)
    }

    /// The storages that a statement, or one nested in it, names.
    fn named(&self, stmt: &Stmt) -> Set<PlaceId> {
        let named = stmt.all().flat_map(Stmt::named);
        named.map(|place| self.storage(place)).collect()
    }
}

fn rewrite(region: &mut Region, known: &Known, body: &mut Body) {
    let mut stmts: Vec<Stmt> = Vec::with_capacity(region.stmts.len());
    // the last that was done to a storage is to set this to zero, by the statement at this position
    let mut cleared: Map<PlaceId, (Place, usize)> = Map::new();
    let mut idle = Set::new();
    for mut stmt in std::mem::take(&mut region.stmts) {
        stmt.regions_mut()
            .into_iter()
            .for_each(|inner| rewrite(inner, known, body));
        if let Stmt::Accumulate { place, negate, val } = &stmt
            && let Some((at, zero)) = cleared.get(&known.storage(place.root))
            && at == place
            && body.val(*val).ty == Type::Lane
        {
            idle.insert(*zero);
            let mut write = written(place.clone(), *negate, *val, body);
            if let Some(last) = write.pop() {
                stmts.append(&mut write);
                stmt = last;
            }
        }
        if !seeded!(ClearedForLong) {
            for storage in known.named(&stmt).iter() {
                cleared.remove(storage);
            }
        }
        if let Stmt::Store(place, v) = &stmt
            && known.zeros.contains(v)
        {
            cleared.insert(known.storage(place.root), (place.clone(), stmts.len()));
        }
        stmts.push(stmt);
    }
    let mut at = 0..;
    stmts.retain(|_| at.next().is_none_or(|at| !idle.contains(&at)));
    region.stmts = stmts;
}
