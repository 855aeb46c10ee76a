//! Pullback from pushforwards of unit vectors, for backends that only have a pushforward.

use crate::backend::Backend;
use crate::batch::passes;
use crate::derived::{MOST, ensure, read, write};
use crate::error::Error;
use crate::function::{Call, Kind, Primal, Slot, XLanesMut, XRef, YLanes};
use crate::primitive::Space;
use crate::rules::{one, zero};
use crate::value::Family;

/// `ceil(n / batch)` pushforwards, which all adjoints share.
///
/// # Errors
/// Those of the pushforward.
pub fn pullback<K: Primal, B: Backend<K>>(
    backend: &B,
    space: &mut Space<K, B>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    yb: &[YLanes<'_, K, K::Real>],
    mut y: Slot<'_, K, K::Real>,
    xb: &mut [XLanesMut<'_, K, K::Real>],
) -> Result<(), Error> {
    let n = K::X::len(&space.x);
    let batch = backend.batch(n).min(MOST);
    ensure::<K::X, K>(&mut space.work.x_seeds, MOST, &space.x);
    ensure::<K::Y, K>(&mut space.work.dy, MOST, &space.y);
    let mut seeds = core::mem::take(&mut space.work.x_seeds);
    let mut columns = core::mem::take(&mut space.work.dy);
    let mut outcome = Ok(());
    // An empty input still needs its evaluation.
    let empty = (n == 0).then_some((0, 0));
    for (at, count) in passes(n, batch).chain(empty) {
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
            for (yb, xb) in yb.iter().zip(xb.iter_mut()) {
                let mut sum = zero::<K::Real>();
                let column = K::Y::lanes_mut(&mut columns[k]);
                K::Y::zip(column, *yb, &mut |a: &mut K::Real, b: K::Real| {
                    sum = sum + *a * b
                });
                *K::X::entry(K::X::reborrow_lanes(xb), at + k) = sum;
            }
        }
    }
    space.work.x_seeds = seeds;
    space.work.dy = columns;
    outcome
}
