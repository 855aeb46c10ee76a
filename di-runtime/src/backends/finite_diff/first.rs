//! First differences: directions, gradients, Jacobians by columns.

use ndarray::Array2;

use crate::function::{
    Call, Kind, NumberValued, Primal, Slot, XLanes, XLanesMut, XRef, YLanesMut, YOwned,
};
use crate::rules::{one, zero};
use crate::scalar::Real;
use crate::value::Family;

use super::super::sweep::env;
use super::{AutoFiniteDiff, Scheme, Scratch};

impl<K: Primal> Scratch<K> {
    /// Takes over `x`.
    pub(super) fn load(&mut self, x: XRef<'_, K, K::Real>) {
        K::X::zip_values(
            K::X::lanes_mut(&mut self.x),
            x,
            &mut |to: &mut K::Real, v| *to = v,
        );
    }

    /// Moves one input and returns by how much it moved, exactly.
    pub(super) fn shift(&mut self, at: usize, by: K::Real) -> K::Real {
        let x = K::X::entry(K::X::lanes_mut(&mut self.x), at);
        let before = *x;
        *x = before + by;
        *x - before
    }

    /// The value of one input.
    pub(super) fn input(&mut self, at: usize) -> K::Real {
        *K::X::entry(K::X::lanes_mut(&mut self.x), at)
    }

    /// Writes one input.
    pub(super) fn set(&mut self, at: usize, value: K::Real) {
        *K::X::entry(K::X::lanes_mut(&mut self.x), at) = value;
    }

    /// Moves all inputs along a direction, from `x`.
    pub(super) fn along(
        &mut self,
        x: XRef<'_, K, K::Real>,
        direction: XLanes<'_, K, K::Real>,
        by: K::Real,
    ) {
        self.load(x);
        let x = K::X::lanes_mut(&mut self.x);
        K::X::zip(x, direction, &mut |x: &mut K::Real, v: K::Real| {
            *x = *x + by * v
        });
    }

    /// Runs the function where the point was moved to; `like` has the passive parts of `x`.
    pub(super) fn evaluate(
        &mut self,
        call: Call<'_, K>,
        like: XRef<'_, K, K::Real>,
        to: fn(&mut Self) -> &mut YOwned<K, K::Real>,
    ) {
        let mut y = core::mem::replace(to(self), K::Y::vacant(zero()));
        let view = K::X::get(&self.x, K::X::shorten::<K::Real>(like));
        let slot = K::Kind::slot::<K::Y, K::Real>(&mut y);
        K::primal(
            env(call, &mut self.values.caches, &mut self.values.pool),
            view,
            slot,
        );
        *to(self) = y;
    }

    /// The value of a function that returns a number.
    pub(super) fn number(&mut self, call: Call<'_, K>, like: XRef<'_, K, K::Real>) -> K::Real
    where
        K: NumberValued,
    {
        let mut y = zero();
        let view = K::X::get(&self.x, K::X::shorten::<K::Real>(like));
        K::primal(
            env(call, &mut self.values.caches, &mut self.values.pool),
            view,
            &mut y,
        );
        y
    }

    /// The difference quotient by what was evaluated ahead and behind.
    pub(super) fn quotient(&mut self, dy: YLanesMut<'_, K, K::Real>, distance: K::Real) {
        let mut dy = dy;
        let ahead = K::Y::lanes(&self.ahead);
        K::Y::zip(
            K::Y::reborrow_lanes(&mut dy),
            ahead,
            &mut |to: &mut K::Real, v: K::Real| {
                *to = v;
            },
        );
        let behind = K::Y::lanes(&self.behind);
        K::Y::zip(dy, behind, &mut |to: &mut K::Real, v: K::Real| {
            *to = (*to - v) / distance
        });
    }
}

fn ahead<K: Primal>(scratch: &mut Scratch<K>) -> &mut YOwned<K, K::Real> {
    &mut scratch.ahead
}

fn behind<K: Primal>(scratch: &mut Scratch<K>) -> &mut YOwned<K, K::Real> {
    &mut scratch.behind
}

/// The value at `x` itself, to its place.
fn value<K: Primal>(
    scratch: &mut Scratch<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    y: Slot<'_, K, K::Real>,
) {
    K::primal(
        env(call, &mut scratch.values.caches, &mut scratch.values.pool),
        x,
        y,
    );
}

/// Largest absolute value.
fn largest<R: Real>(seen: R, v: R) -> R {
    seen.max(v.abs())
}

/// One or two evaluations for each direction.
pub(super) fn pushforward<K: Primal>(
    backend: AutoFiniteDiff,
    scratch: &mut Scratch<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    dx: &[XLanes<'_, K, K::Real>],
    y: Slot<'_, K, K::Real>,
    dy: &mut [YLanesMut<'_, K, K::Real>],
) {
    let mut size = zero::<K::Real>();
    K::X::values(x, &mut |v: K::Real| size = largest(size, v));
    for (dx, dy) in dx.iter().zip(dy) {
        let mut speed = zero::<K::Real>();
        K::X::each(*dx, &mut |v: K::Real| speed = largest(speed, v));
        let dy = K::Y::reborrow_lanes(dy);
        if Real::to_f64(speed) == 0.0 {
            K::Y::each_mut(dy, &mut |v: &mut K::Real| *v = zero());
            continue;
        }
        let step = backend.step(size) / speed;
        scratch.along(x, *dx, step);
        scratch.evaluate(call, x, ahead);
        let back = match backend.scheme {
            Scheme::Central => step,
            Scheme::Forward => zero(),
        };
        scratch.along(x, *dx, -back);
        scratch.evaluate(call, x, behind);
        scratch.quotient(dy, step + back);
    }
    value(scratch, call, x, y);
}

/// One or two evaluations for each input.
pub(super) fn gradient<K: Primal + NumberValued>(
    backend: AutoFiniteDiff,
    scratch: &mut Scratch<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    mut g: XLanesMut<'_, K, K::Real>,
) -> K::Real {
    scratch.load(x);
    let y = scratch.number(call, x);
    for at in 0..K::X::count::<K::Real>(&g) {
        let here = scratch.input(at);
        let step = backend.step(here);
        let up = scratch.shift(at, step);
        let ahead = scratch.number(call, x);
        scratch.set(at, here);
        let (down, behind) = match backend.scheme {
            Scheme::Central => {
                let down = scratch.shift(at, -step);
                (down, scratch.number(call, x))
            }
            Scheme::Forward => (zero(), y),
        };
        scratch.set(at, here);
        *K::X::entry(K::X::reborrow_lanes(&mut g), at) = (ahead - behind) / (up - down);
    }
    y
}

/// One or two evaluations for each column.
pub(super) fn jacobian<K: Primal>(
    backend: AutoFiniteDiff,
    scratch: &mut Scratch<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    y: Slot<'_, K, K::Real>,
    j: &mut Array2<K::Real>,
) {
    scratch.load(x);
    let (m, n) = j.dim();
    if backend.scheme == Scheme::Forward {
        scratch.evaluate(call, x, behind);
    }
    for at in 0..n {
        let here = scratch.input(at);
        let step = backend.step(here);
        let up = scratch.shift(at, step);
        scratch.evaluate(call, x, ahead);
        scratch.set(at, here);
        let down = match backend.scheme {
            Scheme::Central => {
                let down = scratch.shift(at, -step);
                scratch.evaluate(call, x, behind);
                down
            }
            Scheme::Forward => zero(),
        };
        scratch.set(at, here);
        let mut row = 0;
        let scale = one::<K::Real>() / (up - down);
        let behind = K::Y::lanes(&scratch.behind);
        K::Y::zip(
            K::Y::lanes_mut(&mut scratch.ahead),
            behind,
            &mut |a: &mut K::Real, b: K::Real| {
                // A result of another length is noticed by the operator.
                if row < m {
                    j[[row, at]] = (*a - b) * scale;
                }
                row += 1;
            },
        );
    }
    value(scratch, call, x, y);
}
