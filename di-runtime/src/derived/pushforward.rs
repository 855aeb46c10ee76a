//! Pushforward from pullbacks of unit vectors, for backends that only have a pullback.

use crate::backend::Backend;
use crate::batch::passes;
use crate::derived::{MOST, ensure, read, write};
use crate::error::Error;
use crate::function::{Call, Kind, Primal, Slot, XLanes, XRef, YLanesMut};
use crate::primitive::Space;
use crate::rules::{one, zero};
use crate::value::Family;

/// `ceil(m / batch)` pullbacks, which all tangents share.
///
/// # Errors
/// Those of the pullback.
pub fn pushforward<K: Primal, B: Backend<K>>(
    backend: &B,
    space: &mut Space<K, B>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    dx: &[XLanes<'_, K, K::Real>],
    mut y: Slot<'_, K, K::Real>,
    dy: &mut [YLanesMut<'_, K, K::Real>],
) -> Result<(), Error> {
    let m = K::Y::len(&space.y);
    let batch = backend.batch(m).min(MOST);
    ensure::<K::Y, K>(&mut space.work.y_seeds, MOST, &space.y);
    ensure::<K::X, K>(&mut space.work.dx, MOST, &space.x);
    let mut seeds = core::mem::take(&mut space.work.y_seeds);
    let mut rows = core::mem::take(&mut space.work.dx);
    let mut outcome = Ok(());
    // An empty result still needs its evaluation.
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
            for (dx, dy) in dx.iter().zip(dy.iter_mut()) {
                let mut sum = zero::<K::Real>();
                let row = K::X::lanes_mut(&mut rows[k]);
                K::X::zip(row, *dx, &mut |a: &mut K::Real, b: K::Real| {
                    sum = sum + *a * b
                });
                *K::Y::entry(K::Y::reborrow_lanes(dy), at + k) = sum;
            }
        }
    }
    space.work.y_seeds = seeds;
    space.work.dx = rows;
    outcome
}
