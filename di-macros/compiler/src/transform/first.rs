//! First stores: where the first thing that the adjoint sweep does to a parameter's adjoint is a loop that
//! adds to each element of a range once, or to each row of a matrix, an operator's fresh slot need not be
//! zeroed there: the loop writes, and the rest is zeroed. Callers' slots are added to as ever. For what comes outside of
//! loops see `straight`.

use crate::analysis::record::lets_of;
use crate::ir::{
    BinOp, Body, First, For, Mode, Op, Place, PlaceId, PlaceKind, Proj, Region, Role, Stmt, Type,
    Val,
};
use crate::mutation::seeded;
use crate::sorted::Map;
use proc_macro2::Span;

/// Rewrites an adjoint sweep whose loops have been tightened.
pub(crate) fn first_stores(body: &mut Body) {
    let slots: Vec<PlaceId> = (0..body.places.len())
        .map(|k| PlaceId(u32::try_from(k).expect("fewer than 2^32 places")))
        .filter(|p| is_slice_slot(body, *p))
        .collect();
    for slot in slots {
        let mut region = std::mem::take(&mut body.region);
        if let Some(at) = region.stmts.iter().position(|stmt| uses(stmt, slot)) {
            write_first(&mut region.stmts[at], slot);
            write_rows(&mut region, at, slot, body);
        }
        body.region = region;
    }
}

/// A slot that operators may hand in fresh, and that is a slice of lanes.
pub(super) fn is_slice_slot(body: &Body, place: PlaceId) -> bool {
    let info = body.place(place);
    let PlaceKind::Slot(k) = info.kind else {
        return false;
    };
    let param = &body.params[k];
    param.role == Role::Active
        && param.mode != Mode::Mut
        && matches!(&info.ty, Type::Slice(t) if **t == Type::Lane)
}

/// Writes a lane, or its negative, where it would be added.
pub(super) fn written(place: Place, negate: bool, val: Val, body: &mut Body) -> Vec<Stmt> {
    if !negate {
        return vec![Stmt::Store(place, val)];
    }
    let less = body.new_val(Type::Lane, None, Span::call_site());
    vec![Stmt::Let(less, Op::Neg(val)), Stmt::Store(place, less)]
}

/// Whether a statement, or one nested in it, names a place.
pub(super) fn uses(stmt: &Stmt, place: PlaceId) -> bool {
    stmt.all().any(|stmt| stmt.named().contains(&place))
}

fn write_first(stmt: &mut Stmt, slot: PlaceId) {
    let Stmt::If {
        then, els, results, ..
    } = stmt
    else {
        return;
    };
    if !results.is_empty() || !els.stmts.iter().all(is_fill) {
        return;
    }
    let Some((at, row, lo, hi)) = row_of(then, slot) else {
        return;
    };
    let Some(f) = only_loop(then, row) else {
        return;
    };
    if !set_each(f, row) {
        return;
    }
    let fill = |keep| Stmt::First(First::Fill { slot, keep });
    if !seeded!(FreshRestKept) {
        then.stmts.insert(at, fill(Some((lo, hi))));
    }
    if !seeded!(FreshNotFilled) {
        els.stmts.push(fill(None));
    }
}

/// Writes what a loop adds to each element of a row; whether that is all it does to it.
fn set_each(f: &mut For, row: PlaceId) -> bool {
    let iv = f.iv;
    let mut users = f.body.stmts.iter_mut().filter(|s| uses(s, row));
    let (Some(one), None) = (users.next(), users.next()) else {
        return false;
    };
    match one {
        Stmt::Accumulate { place, negate, val } if place.path == [Proj::Index(iv)] => {
            *one = Stmt::First(First::Set {
                place: place.clone(),
                negate: *negate,
                val: *val,
            });
            true
        }
        _ => false,
    }
}

fn is_fill(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::First(First::Fill { .. }))
}

/// The same where the slot is a matrix: a loop from zero, by itself or under a test, has another one for each row.
fn write_rows(region: &mut Region, at: usize, slot: PlaceId, body: &mut Body) {
    let literals = region.integers();
    if let Stmt::If {
        then, els, results, ..
    } = &mut region.stmts[at]
    {
        let first = then.stmts.iter().position(|stmt| uses(stmt, slot));
        if let Some(first) = first
            && results.is_empty()
            && els.stmts.iter().all(is_fill)
            && let Some(fill) = rows_of(then, first, (slot, &literals), body)
        {
            then.stmts.splice(first..first, fill);
            if !seeded!(FreshNotFilled) {
                els.stmts
                    .push(Stmt::First(First::Fill { slot, keep: None }));
            }
        }
    } else if let Some(fill) = rows_of(region, at, (slot, &literals), body) {
        region.stmts.splice(at..at, fill);
    }
}

/// Makes the loop write the rows; returns what zeroes the rest, before it.
fn rows_of(
    region: &mut Region,
    at: usize,
    (slot, literals): (PlaceId, &Map<Val, i128>),
    body: &mut Body,
) -> Option<Vec<Stmt>> {
    let Stmt::For(outer) = &mut region.stmts[at] else {
        return None;
    };
    let (trip, lo, trips) = (outer.iv, outer.lo, outer.hi);
    let inside: Vec<Val> = outer.body.stmts.iter().flat_map(lets_of).collect();
    let product = |v: Val, len: Val, stmts: &[Stmt]| {
        let factors = |op: &Op| matches!(op, Op::Bin(BinOp::Mul, a, b) if (*a, *b) == (trip, len) || (*a, *b) == (len, trip));
        stmts
            .iter()
            .any(|s| matches!(s, Stmt::Let(w, op) if *w == v && factors(op)))
    };
    let mut users = outer.body.stmts.iter().filter(|stmt| uses(stmt, slot));
    let (Some(user), None) = (users.next(), users.next()) else {
        return None;
    };
    let Stmt::If {
        then, els, results, ..
    } = user
    else {
        return None;
    };
    let (_, row, start, end) = row_of(then, slot)?;
    let len = then.stmts.iter().find_map(|stmt| match stmt {
        // a row is that of a loop from zero
        Stmt::For(f) if uses(stmt, row) => Some(f.hi),
        _ => None,
    })?;
    let all: Vec<Stmt> = outer
        .body
        .stmts
        .iter()
        .chain(&then.stmts)
        .cloned()
        .collect();
    let is_end = |s: &Stmt| {
        matches!(s, Stmt::Let(w, Op::Bin(BinOp::Add, a, b))
            if *w == end && ((*a, *b) == (start, len) || (*a, *b) == (len, start)))
    };
    let once = then.stmts.iter().filter(|s| uses(s, slot)).count() == 1;
    let covers =
        once && product(start, len, &all) && all.iter().any(is_end) && !inside.contains(&len);
    if outer.inclusive
        || literals.get(&lo) != Some(&0)
        || !results.is_empty()
        || !els.stmts.is_empty()
        || !covers
    {
        return None;
    }
    let user = outer.body.stmts.iter_mut().find(|stmt| uses(stmt, slot));
    let Some(Stmt::If { then, .. }) = user else {
        return None;
    };
    if !set_each(only_loop(then, row)?, row) {
        return None;
    }
    let total = body.new_val(Type::usize(), None, Span::call_site());
    let mut fill = vec![Stmt::Let(total, Op::Bin(BinOp::Mul, trips, len))];
    if !seeded!(FreshRestKept) {
        let keep = Some((lo, total));
        fill.push(Stmt::First(First::Fill { slot, keep }));
    }
    Some(fill)
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
