//! Compressed columns and rows from the primitives, and compressed Hessians from products.

use crate::backend::Backend;
use crate::batch::passes;
use crate::compressed::{Reader, Seeds, read_one};
use crate::derived::{MOST, ensure, read, write};
use crate::error::Error;
use crate::function::{Call, Kind, NumberValued, Primal, Slot, XLanesMut, XRef};
use crate::primitive::Space;
use crate::rules::{one, zero};
use crate::value::Family;

/// Writes the seeds of a pass to storages of zeros, or zeros again.
fn seed<F: Family, K: Primal>(
    storage: &mut [F::Owned<K::Real>],
    seeds: &Seeds,
    (first, count): (usize, usize),
    value: K::Real,
) {
    seeds.each(first, count, |line, lane| {
        *F::entry(F::lanes_mut(&mut storage[lane]), line) = value;
    });
}

/// Sums of columns, by pushforwards.
///
/// # Errors
/// Those of the primitive.
pub fn compressed_columns<K: Primal, B: Backend<K>>(
    backend: &B,
    space: &mut Space<K, B>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    seeds: &Seeds,
    mut y: Slot<'_, K, K::Real>,
    reader: &mut impl Reader<K::Real>,
) -> Result<(), Error> {
    let batch = backend.batch(seeds.count()).min(MOST);
    ensure::<K::X, K>(&mut space.work.x_seeds, MOST, &space.x);
    ensure::<K::Y, K>(&mut space.work.dy, MOST, &space.y);
    let mut inputs = core::mem::take(&mut space.work.x_seeds);
    let mut columns = core::mem::take(&mut space.work.dy);
    let mut copy = Vec::new();
    let mut outcome = Ok(());
    let empty = (seeds.count() == 0).then_some((0, 0));
    for (at, count) in passes(seeds.count(), batch).chain(empty) {
        seed::<K::X, K>(&mut inputs, seeds, (at, count), one());
        let dx = read::<K::X, K>(&inputs);
        let mut dy = write::<K::Y, K>(&mut columns);
        let slot = K::Kind::again::<K::Y, K::Real>(&mut y);
        outcome =
            outcome.and(backend.pushforward(space, call, x, &dx[..count], slot, &mut dy[..count]));
        drop(dy);
        seed::<K::X, K>(&mut inputs, seeds, (at, count), zero());
        for (k, column) in columns[..count].iter().enumerate() {
            let lanes = K::Y::lanes(column);
            read_one::<K::Y, K::Real>(lanes, &mut copy, at + k, reader);
        }
    }
    space.work.x_seeds = inputs;
    space.work.dy = columns;
    outcome
}

/// Sums of rows, by pullbacks.
///
/// # Errors
/// Those of the primitive.
pub fn compressed_rows<K: Primal, B: Backend<K>>(
    backend: &B,
    space: &mut Space<K, B>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    seeds: &Seeds,
    mut y: Slot<'_, K, K::Real>,
    reader: &mut impl Reader<K::Real>,
) -> Result<(), Error> {
    let batch = backend.batch(seeds.count()).min(MOST);
    ensure::<K::X, K>(&mut space.work.dx, MOST, &space.x);
    ensure::<K::Y, K>(&mut space.work.y_seeds, MOST, &space.y);
    let mut results = core::mem::take(&mut space.work.y_seeds);
    let mut rows = core::mem::take(&mut space.work.dx);
    let mut copy = Vec::new();
    let mut outcome = Ok(());
    let empty = (seeds.count() == 0).then_some((0, 0));
    for (at, count) in passes(seeds.count(), batch).chain(empty) {
        seed::<K::Y, K>(&mut results, seeds, (at, count), one());
        let yb = read::<K::Y, K>(&results);
        let mut xb = write::<K::X, K>(&mut rows);
        let slot = K::Kind::again::<K::Y, K::Real>(&mut y);
        outcome =
            outcome.and(backend.pullback(space, call, x, &yb[..count], slot, &mut xb[..count]));
        drop(xb);
        seed::<K::Y, K>(&mut results, seeds, (at, count), zero());
        for (k, row) in rows[..count].iter().enumerate() {
            let lanes = K::X::lanes(row);
            read_one::<K::X, K::Real>(lanes, &mut copy, at + k, reader);
        }
    }
    space.work.y_seeds = results;
    space.work.dx = rows;
    outcome
}

/// Sums of columns of the Hessian, by products.
///
/// # Errors
/// Those of the products.
pub fn compressed_hessian<K: Primal + NumberValued, B: Backend<K>>(
    backend: &B,
    space: &mut Space<K, B>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    seeds: &Seeds,
    mut g: Option<XLanesMut<'_, K, K::Real>>,
    reader: &mut impl Reader<K::Real>,
) -> Result<K::Real, Error> {
    let batch = backend.batch(seeds.count()).min(MOST);
    ensure::<K::X, K>(&mut space.work.x_seeds, MOST, &space.x);
    ensure::<K::X, K>(&mut space.work.dx, MOST, &space.x);
    let mut inputs = core::mem::take(&mut space.work.x_seeds);
    let mut products = core::mem::take(&mut space.work.dx);
    let mut copy = Vec::new();
    let mut outcome = Ok(zero::<K::Real>());
    let empty = (seeds.count() == 0).then_some((0, 0));
    for (at, count) in passes(seeds.count(), batch).chain(empty) {
        seed::<K::X, K>(&mut inputs, seeds, (at, count), one());
        let dx = read::<K::X, K>(&inputs);
        let mut hv = write::<K::X, K>(&mut products);
        let g = g.as_mut().map(K::X::reborrow_lanes);
        let y = backend.hvp(space, call, x, &dx[..count], g, &mut hv[..count]);
        drop(hv);
        outcome = outcome.and(y);
        seed::<K::X, K>(&mut inputs, seeds, (at, count), zero());
        for (k, product) in products[..count].iter().enumerate() {
            let lanes = K::X::lanes(product);
            read_one::<K::X, K::Real>(lanes, &mut copy, at + k, reader);
        }
    }
    space.work.x_seeds = inputs;
    space.work.dx = products;
    outcome
}
