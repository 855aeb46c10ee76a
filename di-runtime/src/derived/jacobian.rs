//! Jacobian by columns (pushforwards) or by rows (pullbacks), whichever is less work.

use core::ops::Range;

use crate::backend::Backend;
use crate::batch::passes;
use crate::derived::{MOST, ensure, read, write};
use crate::error::Error;
use crate::function::{Call, Kind, Primal, Slot, XRef};
use crate::primitive::{ResultMatrix, Space};
use crate::rules::{one, zero};
use crate::value::Family;

/// Columns or rows by `min(n / batch, m / batch)` if the backend does both, else what it does.
///
/// # Errors
/// Those of the primitive.
pub fn jacobian<K: Primal, B: Backend<K>>(
    backend: &B,
    space: &mut Space<K, B>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    y: Slot<'_, K, K::Real>,
    j: &mut B::Matrix,
) -> Result<(), Error> {
    let (n, m) = (K::X::len(&space.x), K::Y::len(&space.y));
    let forward = backend.mode().pushforward_is_fast() && B::HAS_PUSHFORWARD;
    let reverse = backend.mode().pullback_is_fast() && B::HAS_PULLBACK;
    let columns = n.div_ceil(backend.batch(n).max(1));
    let rows = m.div_ceil(backend.batch(m).max(1));
    if forward && (!reverse || columns <= rows) {
        by_columns(backend, space, call, x, y, j)
    } else {
        by_rows(backend, space, call, x, y, j)
    }
}

fn by_columns<K: Primal, B: Backend<K>>(
    backend: &B,
    space: &mut Space<K, B>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    y: Slot<'_, K, K::Real>,
    j: &mut B::Matrix,
) -> Result<(), Error> {
    let n = K::X::len(&space.x);
    let batch = backend.batch(n).min(MOST);
    columns(
        backend,
        space,
        call,
        x,
        y,
        (0..n, batch),
        &mut |row, column, v| {
            j.put(row, column, v);
        },
    )
}

/// Some columns of the Jacobian, so many at once.
///
/// # Errors
/// Those of the pushforward.
pub fn columns<K: Primal, B: Backend<K>>(
    backend: &B,
    space: &mut Space<K, B>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    mut y: Slot<'_, K, K::Real>,
    (range, batch): (Range<usize>, usize),
    put: &mut impl FnMut(usize, usize, K::Real),
) -> Result<(), Error> {
    ensure::<K::X, K>(&mut space.work.x_seeds, MOST, &space.x);
    ensure::<K::Y, K>(&mut space.work.dy, MOST, &space.y);
    let mut seeds = core::mem::take(&mut space.work.x_seeds);
    let mut columns = core::mem::take(&mut space.work.dy);
    let mut outcome = Ok(());
    let empty = range.is_empty().then_some((0, 0));
    for (at, count) in passes(range.len(), batch).chain(empty) {
        let at = range.start + at;
        for (k, seed) in seeds[..count].iter_mut().enumerate() {
            *K::X::entry(K::X::lanes_mut(seed), at + k) = one::<K::Real>();
        }
        let dx = read::<K::X, K>(&seeds);
        let mut dy = write::<K::Y, K>(&mut columns);
        let slot = K::Kind::again::<K::Y, K::Real>(&mut y);
        outcome =
            outcome.and(backend.pushforward(space, call, x, &dx[..count], slot, &mut dy[..count]));
        drop(dy);
        for k in 0..count {
            *K::X::entry(K::X::lanes_mut(&mut seeds[k]), at + k) = zero::<K::Real>();
            let mut row = 0;
            K::Y::each(K::Y::lanes(&columns[k]), &mut |v| {
                put(row, at + k, v);
                row += 1;
            });
        }
    }
    space.work.x_seeds = seeds;
    space.work.dy = columns;
    outcome
}

fn by_rows<K: Primal, B: Backend<K>>(
    backend: &B,
    space: &mut Space<K, B>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    mut y: Slot<'_, K, K::Real>,
    j: &mut B::Matrix,
) -> Result<(), Error> {
    let m = K::Y::len(&space.y);
    let batch = backend.batch(m).min(MOST);
    ensure::<K::Y, K>(&mut space.work.y_seeds, MOST, &space.y);
    ensure::<K::X, K>(&mut space.work.dx, MOST, &space.x);
    let mut seeds = core::mem::take(&mut space.work.y_seeds);
    let mut rows = core::mem::take(&mut space.work.dx);
    let mut outcome = Ok(());
    let empty = (m == 0).then_some((0, 0));
    for (at, count) in passes(m, batch).chain(empty) {
        for (k, seed) in seeds[..count].iter_mut().enumerate() {
            *K::Y::entry(K::Y::lanes_mut(seed), at + k) = one::<K::Real>();
        }
        let yb = read::<K::Y, K>(&seeds);
        let mut xb = write::<K::X, K>(&mut rows);
        let slot = K::Kind::again::<K::Y, K::Real>(&mut y);
        outcome =
            outcome.and(backend.pullback(space, call, x, &yb[..count], slot, &mut xb[..count]));
        drop(xb);
        for k in 0..count {
            *K::Y::entry(K::Y::lanes_mut(&mut seeds[k]), at + k) = zero::<K::Real>();
            let mut column = 0;
            K::X::each(K::X::lanes(&rows[k]), &mut |v| {
                j.put(at + k, column, v);
                column += 1;
            });
        }
    }
    space.work.y_seeds = seeds;
    space.work.dx = rows;
    outcome
}
