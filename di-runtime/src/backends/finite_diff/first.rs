//! First differences: directions, gradients, Jacobians by columns.

use crate::function::{Call, Kind, NumberValued, Primal, Slot, XLanes, XLanesMut, XRef, YLanesMut};
use crate::matrix::Matrix;
use crate::rules::{one, zero};
use crate::value::Family;

use super::super::point::{size, speed};
use super::super::sweep::env;
use super::{AutoFiniteDiff, Scheme, Scratch};

impl<K: Primal> Scratch<K> {
    /// Runs the function where the point was moved to; `like` has the passive parts of `x`.
    fn evaluate(&mut self, call: Call<'_, K>, like: XRef<'_, K, K::Real>, to: Side) {
        let Scratch {
            point,
            ahead,
            behind,
            values,
            ..
        } = self;
        let env = env(call, &mut values.caches, &mut values.pool);
        let y = to.of(ahead, behind);
        K::primal(env, point.view(like), K::Kind::slot::<K::Y, K::Real>(y));
    }

    /// Runs the function at a point; the result is kept.
    pub(super) fn keep(&mut self, call: Call<'_, K>, x: XRef<'_, K, K::Real>, to: Side) {
        let Scratch {
            ahead,
            behind,
            values,
            ..
        } = self;
        let env = env(call, &mut values.caches, &mut values.pool);
        let y = to.of(ahead, behind);
        K::primal(env, x, K::Kind::slot::<K::Y, K::Real>(y));
    }

    /// Runs the function at `x` itself.
    pub(super) fn value(
        &mut self,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        y: Slot<'_, K, K::Real>,
    ) {
        let values = &mut self.values;
        K::primal(env(call, &mut values.caches, &mut values.pool), x, y);
    }

    /// The value of a function that returns a number, where the point is.
    pub(super) fn number(&mut self, call: Call<'_, K>, like: XRef<'_, K, K::Real>) -> K::Real
    where
        K: NumberValued,
    {
        let mut y = zero();
        let values = &mut self.values;
        let env = env(call, &mut values.caches, &mut values.pool);
        K::primal(env, self.point.view(like), &mut y);
        y
    }
}

/// Which of the two kept results.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Ahead,
    Behind,
}

impl Side {
    fn of<Y>(self, ahead: Y, behind: Y) -> Y {
        match self {
            Side::Ahead => ahead,
            Side::Behind => behind,
        }
    }
}

/// One or two evaluations for each direction, and the value.
pub(super) fn pushforward<K: Primal>(
    backend: AutoFiniteDiff,
    scratch: &mut Scratch<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    dx: &[XLanes<'_, K, K::Real>],
    mut y: Slot<'_, K, K::Real>,
    dy: &mut [YLanesMut<'_, K, K::Real>],
) {
    scratch.value(call, x, K::Kind::again::<K::Y, K::Real>(&mut y));
    let here = K::Kind::result::<K::Y, K::Real>(&y);
    let (forth, back) = backend.steps(backend.scheme, size::<K>(x));
    for (dx, dy) in dx.iter().zip(dy) {
        let mut dy = K::Y::reborrow_lanes(dy);
        let Some(speed) = speed::<K>(*dx) else {
            K::Y::each_mut(dy, &mut |v: &mut K::Real| *v = zero());
            continue;
        };
        let (forth, back) = (forth / speed, back / speed);
        scratch.point.along(x, *dx, forth);
        scratch.evaluate(call, x, Side::Ahead);
        let copy = &mut |to: &mut K::Real, v: K::Real| *to = v;
        let lanes = K::Y::reborrow_lanes(&mut dy);
        K::Y::zip(lanes, K::Y::lanes(&scratch.ahead), copy);
        let distance = forth - back;
        let quotient = &mut |to: &mut K::Real, v: K::Real| *to = (*to - v) / distance;
        if backend.scheme == Scheme::Central {
            scratch.point.along(x, *dx, back);
            scratch.evaluate(call, x, Side::Behind);
            K::Y::zip(dy, K::Y::lanes(&scratch.behind), quotient);
        } else {
            K::Y::zip(dy, K::Y::shorten_lanes(here), quotient);
        }
    }
}

/// Differences and the value.
pub(super) fn gradient<K: Primal + NumberValued>(
    backend: AutoFiniteDiff,
    scratch: &mut Scratch<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    g: XLanesMut<'_, K, K::Real>,
) -> K::Real {
    scratch.point.load(x);
    let y = scratch.number(call, x);
    differences(backend, scratch, call, x, Some(y), g);
    y
}

/// Differences without the value.
pub(super) fn gradient_alone<K: Primal + NumberValued>(
    backend: AutoFiniteDiff,
    scratch: &mut Scratch<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    g: XLanesMut<'_, K, K::Real>,
) {
    differences(backend, scratch, call, x, None, g);
}

/// One or two evaluations for each input; one-sided differences also need the value.
pub(super) fn differences<K: Primal + NumberValued>(
    backend: AutoFiniteDiff,
    scratch: &mut Scratch<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    y: Option<K::Real>,
    mut g: XLanesMut<'_, K, K::Real>,
) {
    scratch.point.load(x);
    let y = match (y, backend.scheme) {
        (Some(y), _) => y,
        (None, Scheme::Central) => zero(),
        (None, Scheme::Forward | Scheme::Backward) => scratch.number(call, x),
    };
    for at in 0..K::X::count::<K::Real>(&g) {
        let here = scratch.point.input(at);
        let (forth, back) = backend.steps(backend.scheme, here);
        let up = scratch.point.shift(at, forth);
        let ahead = scratch.number(call, x);
        scratch.point.set(at, here);
        let (down, behind) = if backend.scheme == Scheme::Central {
            let down = scratch.point.shift(at, back);
            (down, scratch.number(call, x))
        } else {
            (zero(), y)
        };
        scratch.point.set(at, here);
        *K::X::entry(K::X::reborrow_lanes(&mut g), at) = (ahead - behind) / (up - down);
    }
}

/// One or two evaluations for each column, and the value.
pub(super) fn jacobian<K: Primal>(
    backend: AutoFiniteDiff,
    scratch: &mut Scratch<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    y: Slot<'_, K, K::Real>,
    j: &mut Matrix<K::Real>,
) {
    scratch.point.load(x);
    let (m, n) = j.shape();
    let scheme = backend.jacobian.unwrap_or(backend.scheme);
    if scheme != Scheme::Central {
        scratch.evaluate(call, x, Side::Behind);
    }
    for at in 0..n {
        let here = scratch.point.input(at);
        let (forth, back) = backend.steps(scheme, here);
        let up = scratch.point.shift(at, forth);
        scratch.evaluate(call, x, Side::Ahead);
        scratch.point.set(at, here);
        let mut down = zero();
        if scheme == Scheme::Central {
            down = scratch.point.shift(at, back);
            scratch.evaluate(call, x, Side::Behind);
            scratch.point.set(at, here);
        }
        let mut row = 0;
        let scale = one::<K::Real>() / (up - down);
        let behind = K::Y::lanes(&scratch.behind);
        let ahead = K::Y::lanes_mut(&mut scratch.ahead);
        K::Y::zip(ahead, behind, &mut |a: &mut K::Real, b: K::Real| {
            // A result of another length is noticed by the operator.
            if row < m {
                j[[row, at]] = (*a - b) * scale;
            }
            row += 1;
        });
    }
    scratch.value(call, x, y);
}
