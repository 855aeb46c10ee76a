//! Hessian from products with unit vectors, exactly symmetric.

use crate::backend::Backend;
use crate::batch::{even_batch, passes};
use crate::derived::{MOST, ensure, read, write};
use crate::error::Error;
use crate::function::{Call, NumberValued, Primal, XLanesMut, XRef};
use crate::primitive::{ResultMatrix, Space};
use crate::rules::{one, zero};
use crate::value::Family;

/// `ceil(n / batch)` products; what lies below the diagonal is written above it too.
///
/// # Errors
/// Those of the products.
pub fn hessian<K: Primal + NumberValued, B: Backend<K>>(
    backend: &B,
    space: &mut Space<K, B>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    mut g: Option<XLanesMut<'_, K, K::Real>>,
    h: &mut B::Matrix,
) -> Result<K::Real, Error> {
    let n = K::X::len(&space.x);
    let batch = backend.batch(n).min(MOST);
    ensure::<K::X, K>(&mut space.work.x_seeds, MOST, &space.x);
    ensure::<K::X, K>(&mut space.work.dx, MOST, &space.x);
    let mut seeds = core::mem::take(&mut space.work.x_seeds);
    let mut products = core::mem::take(&mut space.work.dx);
    let mut outcome = Ok(zero::<K::Real>());
    let empty = (n == 0).then_some((0, 0));
    for (at, count) in passes(n, batch).chain(empty) {
        for (k, seed) in seeds[..count].iter_mut().enumerate() {
            *K::X::entry(K::X::lanes_mut(seed), at + k) = one::<K::Real>();
        }
        let dx = read::<K::X, K>(&seeds);
        let mut hv = write::<K::X, K>(&mut products);
        let g = g.as_mut().map(K::X::reborrow_lanes);
        let y = backend.hvp(space, call, x, &dx[..count], g, &mut hv[..count]);
        drop(hv);
        outcome = outcome.and(y);
        for k in 0..count {
            *K::X::entry(K::X::lanes_mut(&mut seeds[k]), at + k) = zero::<K::Real>();
            let mut row = 0;
            K::X::each(K::X::lanes(&products[k]), &mut |v| {
                if row >= at + k {
                    h.put(row, at + k, v);
                    h.put(at + k, row, v);
                }
                row += 1;
            });
        }
    }
    space.work.x_seeds = seeds;
    space.work.dx = products;
    outcome
}

/// The diagonal of the Hessian, from `ceil(n / batch)` products with unit vectors.
///
/// # Errors
/// Those of the products.
pub fn hessian_diagonal<K: Primal + NumberValued, B: Backend<K>>(
    backend: &B,
    space: &mut Space<K, B>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    mut g: Option<XLanesMut<'_, K, K::Real>>,
    mut d: XLanesMut<'_, K, K::Real>,
) -> Result<K::Real, Error> {
    let n = K::X::len(&space.x);
    let batch = even_batch(n, MOST);
    ensure::<K::X, K>(&mut space.work.x_seeds, MOST, &space.x);
    ensure::<K::X, K>(&mut space.work.dx, MOST, &space.x);
    let mut seeds = core::mem::take(&mut space.work.x_seeds);
    let mut products = core::mem::take(&mut space.work.dx);
    let mut outcome = Ok(zero::<K::Real>());
    let empty = (n == 0).then_some((0, 0));
    for (at, count) in passes(n, batch).chain(empty) {
        for (k, seed) in seeds[..count].iter_mut().enumerate() {
            *K::X::entry(K::X::lanes_mut(seed), at + k) = one::<K::Real>();
        }
        let dx = read::<K::X, K>(&seeds);
        let mut hv = write::<K::X, K>(&mut products);
        let g = g.as_mut().map(K::X::reborrow_lanes);
        let y = backend.hvp(space, call, x, &dx[..count], g, &mut hv[..count]);
        drop(hv);
        outcome = outcome.and(y);
        for k in 0..count {
            *K::X::entry(K::X::lanes_mut(&mut seeds[k]), at + k) = zero::<K::Real>();
            *K::X::entry(K::X::reborrow_lanes(&mut d), at + k) =
                *K::X::entry(K::X::lanes_mut(&mut products[k]), at + k);
        }
    }
    space.work.x_seeds = seeds;
    space.work.dx = products;
    outcome
}
