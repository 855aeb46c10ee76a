//! Gradient from one pullback, or from pushforwards of unit vectors, as many at once as the backend
//! takes.

use crate::backend::Backend;
use crate::batch::passes;
use crate::derived::{MOST, ensure, read, write};
use crate::error::Error;
use crate::function::{Call, NumberValued, Primal, XLanesMut, XRef};
use crate::primitive::Space;
use crate::rules::{one, zero};
use crate::value::{Family, Number};

/// The pullback of one where that is fast, else `ceil(n / batch)` evaluations.
///
/// # Errors
/// Those of the primitive.
pub fn gradient<K: Primal + NumberValued, B: Backend<K>>(
    backend: &B,
    space: &mut Space<K, B>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    mut g: XLanesMut<'_, K, K::Real>,
) -> Result<K::Real, Error> {
    let mut y = zero::<K::Real>();
    let n = K::X::len(&space.x);
    if n == 0 || (backend.mode().pullback_is_fast() && B::HAS_PULLBACK) {
        backend.pullback(space, call, x, &[&one::<K::Real>()], &mut y, &mut [g])?;
        return Ok(y);
    }
    let batch = backend.batch(n).min(MOST);
    ensure::<K::X, K>(&mut space.work.x_seeds, MOST, &space.x);
    ensure::<Number, K>(&mut space.work.dy, MOST, &());
    let mut seeds = core::mem::take(&mut space.work.x_seeds);
    let mut results = core::mem::take(&mut space.work.dy);
    let mut outcome = Ok(());
    for (at, count) in passes(n, batch) {
        for (k, seed) in seeds[..count].iter_mut().enumerate() {
            *K::X::entry(K::X::lanes_mut(seed), at + k) = one::<K::Real>();
        }
        let dx = read::<K::X, K>(&seeds);
        let mut dy = write::<Number, K>(&mut results);
        outcome = outcome.and(backend.pushforward(
            space,
            call,
            x,
            &dx[..count],
            &mut y,
            &mut dy[..count],
        ));
        for (k, seed) in seeds[..count].iter_mut().enumerate() {
            *K::X::entry(K::X::lanes_mut(seed), at + k) = zero::<K::Real>();
            *K::X::entry(K::X::reborrow_lanes(&mut g), at + k) = results[k];
        }
    }
    space.work.x_seeds = seeds;
    space.work.dy = results;
    outcome.map(|()| y)
}
