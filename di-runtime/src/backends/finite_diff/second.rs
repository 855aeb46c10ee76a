//! Second differences: of values at three points for one input, at four for two.

use ndarray::Array2;

use crate::function::{
    Call, Kind, NumberValued, OfNumber, Primal, Slot, XLanes, XLanesMut, XRef, YLanesMut,
};
use crate::rules::{one, zero};
use crate::scalar::{Real, Scalar};
use crate::value::Family;

use super::super::sweep::env;
use super::{AutoFiniteDiff, Scratch};

/// Three evaluations.
pub(super) fn second_derivative<K: Primal + OfNumber>(
    backend: AutoFiniteDiff,
    scratch: &mut Scratch<K>,
    call: Call<'_, K>,
    x: K::Real,
    mut y: Slot<'_, K, K::Real>,
    mut dy: YLanesMut<'_, K, K::Real>,
    mut ddy: YLanesMut<'_, K, K::Real>,
) {
    let step = backend.second_step(x);
    let slot = K::Kind::again::<K::Y, K::Real>(&mut y);
    K::primal(
        env(call, &mut scratch.values.caches, &mut scratch.values.pool),
        x,
        slot,
    );
    let distance = (x + step) - (x - step);
    for (to, x) in [(true, x + step), (false, x - step)] {
        let y = if to {
            &mut scratch.ahead
        } else {
            &mut scratch.behind
        };
        let slot = K::Kind::slot::<K::Y, K::Real>(y);
        K::primal(
            env(call, &mut scratch.values.caches, &mut scratch.values.pool),
            x,
            slot,
        );
    }
    scratch.quotient(K::Y::reborrow_lanes(&mut dy), distance);
    // ahead - 2 y + behind
    let half = distance / (one::<K::Real>() + one());
    let here = K::Kind::result::<K::Y, K::Real>(&y);
    let lanes = K::Y::reborrow_lanes(&mut ddy);
    K::Y::zip(lanes, here, &mut |to: &mut K::Real, v: K::Real| {
        *to = -(v + v)
    });
    for side in [&scratch.ahead, &scratch.behind] {
        let lanes = K::Y::reborrow_lanes(&mut ddy);
        K::Y::zip(
            lanes,
            K::Y::lanes(side),
            &mut |to: &mut K::Real, v: K::Real| *to = *to + v,
        );
    }
    K::Y::each_mut(ddy, &mut |v: &mut K::Real| *v = *v / (half * half));
}

/// Four evaluations for each input and direction.
pub(super) fn hvp<K: Primal + NumberValued>(
    backend: AutoFiniteDiff,
    scratch: &mut Scratch<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    dx: &[XLanes<'_, K, K::Real>],
    g: Option<XLanesMut<'_, K, K::Real>>,
    products: &mut [XLanesMut<'_, K, K::Real>],
) -> K::Real {
    let mut size = zero::<K::Real>();
    K::X::values(x, &mut |v: K::Real| size = size.max(v.abs()));
    for (dx, product) in dx.iter().zip(products) {
        let mut speed = zero::<K::Real>();
        K::X::each(*dx, &mut |v: K::Real| speed = speed.max(v.abs()));
        let still = Real::to_f64(speed) == 0.0;
        let along = backend.second_step(size) / if still { one() } else { speed };
        for at in 0..K::X::count::<K::Real>(product) {
            let mut sum = zero::<K::Real>();
            let mut width = one::<K::Real>();
            for (sign, by) in [(one::<K::Real>(), along), (-one::<K::Real>(), -along)] {
                if still {
                    break;
                }
                scratch.along(x, *dx, by);
                let here = scratch.input(at);
                let step = backend.second_step(here);
                let up = scratch.shift(at, step);
                let ahead = scratch.number(call, x);
                scratch.set(at, here);
                let down = scratch.shift(at, -step);
                let behind = scratch.number(call, x);
                sum = sum + sign * ((ahead - behind) / (up - down));
                width = along + along;
            }
            *K::X::entry(K::X::reborrow_lanes(product), at) = sum / width;
        }
    }
    finish(backend, scratch, call, x, g)
}

/// Two evaluations for each input and four for each pair of them, and one.
pub(super) fn hessian<K: Primal + NumberValued>(
    backend: AutoFiniteDiff,
    scratch: &mut Scratch<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    g: Option<XLanesMut<'_, K, K::Real>>,
    h: &mut Array2<K::Real>,
) -> K::Real {
    let n = h.nrows();
    scratch.load(x);
    let y = scratch.number(call, x);
    for i in 0..n {
        let here = scratch.input(i);
        let step = backend.second_step(here);
        let (up, ahead) = moved(scratch, call, x, &[(i, step)]);
        let (down, behind) = moved(scratch, call, x, &[(i, -step)]);
        // Steps are not equal once rounded: divided differences of three points.
        let slopes = (ahead - y) / up - (behind - y) / down;
        h[[i, i]] = (slopes + slopes) / (up - down);
        for j in 0..i {
            let other = backend.second_step(scratch.input(j));
            let mut sum = zero::<K::Real>();
            for (a, b) in [(step, other), (-step, -other)] {
                sum = sum + moved(scratch, call, x, &[(i, a), (j, b)]).1;
                sum = sum - moved(scratch, call, x, &[(i, a), (j, -b)]).1;
            }
            let area = step * other;
            let v = sum / (area + area + area + area);
            h[[i, j]] = v;
            h[[j, i]] = v;
        }
    }
    finish(backend, scratch, call, x, g)
}

/// Value with some inputs moved, and by how much the first was.
fn moved<K: Primal + NumberValued>(
    scratch: &mut Scratch<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    steps: &[(usize, K::Real)],
) -> (K::Real, K::Real) {
    let mut first = zero();
    for (k, (at, by)) in steps.iter().enumerate() {
        let distance = scratch.shift(*at, *by);
        if k == 0 {
            first = distance;
        }
    }
    let y = scratch.number(call, x);
    scratch.load(x);
    (first, y)
}

/// The gradient, if it is asked for, and the value.
fn finish<K: Primal + NumberValued>(
    backend: AutoFiniteDiff,
    scratch: &mut Scratch<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    g: Option<XLanesMut<'_, K, K::Real>>,
) -> K::Real {
    if let Some(g) = g {
        return super::first::gradient(backend, scratch, call, x, g);
    }
    scratch.load(x);
    scratch.number(call, x)
}
