//! First stores: where the first thing that the adjoint sweep does to a parameter's adjoint is a loop that
//! adds to each element of a range once, an operator's fresh slot need not be zeroed there: the loop
//! writes, and the rest is zeroed. Callers' slots are added to as ever.

use crate::analysis::activity::regions_of;
use crate::ir::{
    Body, First, For, Mode, Place, PlaceId, PlaceKind, Proj, Region, Role, Stmt, Type, Val,
};
use crate::mutation::seeded;

/// Rewrites an adjoint sweep whose loops have been tightened.
pub(crate) fn first_stores(body: &mut Body) {
    let slots: Vec<PlaceId> = (0..body.places.len())
        .map(|k| PlaceId(u32::try_from(k).expect("fewer than 2^32 places")))
        .filter(|p| is_slice_slot(body, *p))
        .collect();
    for slot in slots {
        let mut stmts = body.region.stmts.iter_mut();
        if let Some(stmt) = stmts.find(|stmt| uses(stmt, slot)) {
            write_first(stmt, slot);
        }
    }
}

/// A slot that operators may hand in fresh, and that is a slice of lanes.
fn is_slice_slot(body: &Body, place: PlaceId) -> bool {
    let info = body.place(place);
    let PlaceKind::Slot(k) = info.kind else {
        return false;
    };
    let param = &body.params[k];
    param.role == Role::Active
        && param.mode != Mode::Mut
        && matches!(&info.ty, Type::Slice(t) if **t == Type::Lane)
}

/// Whether a statement, or one nested in it, names a place.
fn uses(stmt: &Stmt, place: PlaceId) -> bool {
    let nested = regions_of(stmt);
    if nested.is_empty() {
        let mut found = false;
        stmt.clone().each_place(&mut |p| found |= p.root == place);
        stmt.each_named(&mut |p| found |= p == place);
        return found;
    }
    nested
        .into_iter()
        .any(|r| r.stmts.iter().any(|s| uses(s, place)))
}

fn write_first(stmt: &mut Stmt, slot: PlaceId) {
    let Stmt::If {
        then, els, results, ..
    } = stmt
    else {
        return;
    };
    if !results.is_empty() || !els.stmts.is_empty() {
        return;
    }
    let Some((at, row, lo, hi)) = row_of(then, slot) else {
        return;
    };
    let Some(f) = only_loop(then, row) else {
        return;
    };
    let iv = f.iv;
    let mut users = f.body.stmts.iter_mut().filter(|s| uses(s, row));
    let (Some(one), None) = (users.next(), users.next()) else {
        return;
    };
    let Stmt::Accumulate { place, negate, val } = one else {
        return;
    };
    if place.path != [Proj::Index(iv)] {
        return;
    }
    *one = Stmt::First(First::Set {
        place: place.clone(),
        negate: *negate,
        val: *val,
    });
    let fill = |keep| Stmt::First(First::Fill { slot, keep });
    if !seeded!(FreshRestKept) {
        then.stmts.insert(at, fill(Some((lo, hi))));
    }
    if !seeded!(FreshNotFilled) {
        els.stmts.push(fill(None));
    }
}

/// The row that is the first use of the slot, where it is borrowed, and its range.
fn row_of(region: &Region, slot: PlaceId) -> Option<(usize, PlaceId, Val, Val)> {
    let at = region.stmts.iter().position(|s| uses(s, slot))?;
    match &region.stmts[at] {
        Stmt::View {
            view,
            of: Place { path, .. },
            mutable: true,
        } => match path.as_slice() {
            [Proj::Range(lo, hi)] => Some((at, *view, *lo, *hi)),
            _ => None,
        },
        _ => None,
    }
}

/// The loop over a row: nothing else uses it, and each trip has one element.
fn only_loop(region: &mut Region, row: PlaceId) -> Option<&mut For> {
    let mut users = region
        .stmts
        .iter_mut()
        .filter(|s| !matches!(s, Stmt::View { .. }) && uses(s, row));
    match (users.next(), users.next()) {
        (Some(Stmt::For(f)), None) => Some(f),
        _ => None,
    }
}
