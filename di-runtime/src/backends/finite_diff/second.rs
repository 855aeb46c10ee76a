//! Second differences: of values at three points for one input, at four for two.

use crate::function::{
    Call, Kind, NumberValued, OfNumber, Primal, Slot, XLanes, XLanesMut, XRef, YLanesMut,
};
use crate::matrix::Matrix;
use crate::rules::{one, zero};
use crate::scalar::Real;
use crate::value::Family;

use super::super::point::{size, speed};
use super::first::Side;
use super::{AutoFiniteDiff, Scheme, Scratch};

/// Three evaluations: at `x` and on both sides, or at `x` and twice on one side.
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
    let one_sided = backend.hessian != Scheme::Central;
    let far = if one_sided { step + step } else { -step };
    let (near, far) = (x + step, x + far);
    scratch.value(call, x, K::Kind::again::<K::Y, K::Real>(&mut y));
    scratch.keep(call, near, Side::Ahead);
    scratch.keep(call, far, Side::Behind);
    // the parabola through the three points, from divided differences
    let (p, q) = (near - x, far - x);
    let here = K::Kind::result::<K::Y, K::Real>(&y);
    let (ahead, behind) = (&mut scratch.ahead, &mut scratch.behind);
    for (side, distance) in [(&mut *ahead, p), (&mut *behind, q)] {
        let lanes = K::Y::lanes_mut(side);
        let here = K::Y::shorten_lanes(here);
        K::Y::zip(lanes, here, &mut |s: &mut K::Real, y: K::Real| {
            *s = (*s - y) / distance
        });
    }
    // slopes to the two points, s and t: second derivative 2 (s - t) / (p - q), first s - p (s - t) / (p - q)
    let copy = &mut |to: &mut K::Real, v: K::Real| *to = v;
    let (dy_lanes, ddy_lanes) = (
        K::Y::reborrow_lanes(&mut dy),
        K::Y::reborrow_lanes(&mut ddy),
    );
    K::Y::zip(dy_lanes, K::Y::lanes(ahead), copy);
    K::Y::zip(ddy_lanes, K::Y::lanes(ahead), copy);
    let bend = p - q;
    let lanes = K::Y::reborrow_lanes(&mut ddy);
    K::Y::zip(
        lanes,
        K::Y::lanes(behind),
        &mut |s: &mut K::Real, t: K::Real| {
            let curve = (*s - t) / bend;
            *s = curve + curve;
        },
    );
    let half = p / (one::<K::Real>() + one());
    let curve = K::Y::lent(&ddy);
    K::Y::zip(dy, curve, &mut |s: &mut K::Real, c: K::Real| {
        *s = *s - half * c
    });
}

/// Four evaluations for each input and direction, two if they are one-sided, and a value for each
/// direction.
pub(super) fn hvp<K: Primal + NumberValued>(
    backend: AutoFiniteDiff,
    scratch: &mut Scratch<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    dx: &[XLanes<'_, K, K::Real>],
    g: Option<XLanesMut<'_, K, K::Real>>,
    products: &mut [XLanesMut<'_, K, K::Real>],
) -> K::Real {
    scratch.point.load(x);
    let y = scratch.number(call, x);
    let size = size::<K>(x);
    for (dx, product) in dx.iter().zip(products) {
        let Some(speed) = speed::<K>(*dx) else {
            let still = K::X::reborrow_lanes(product);
            K::X::each_mut(still, &mut |v: &mut K::Real| *v = zero());
            continue;
        };
        let along = backend.second_step(size) / speed;
        let one_sided = backend.hessian != Scheme::Central;
        let mut there = zero();
        if one_sided {
            scratch.point.along(x, *dx, along);
            there = scratch.number(call, x);
        }
        for at in 0..K::X::count::<K::Real>(product) {
            scratch.point.load(x);
            let here = scratch.point.input(at);
            let step = backend.second_step(here);
            let entry = if one_sided {
                let near = scratch.point.shift(at, step);
                let beside = scratch.number(call, x);
                scratch.point.along(x, *dx, along);
                scratch.point.shift(at, step);
                let far = scratch.number(call, x);
                ((far - there) - (beside - y)) / (near * along)
            } else {
                let mut sum = zero::<K::Real>();
                for (sign, by) in [(one::<K::Real>(), along), (-one::<K::Real>(), -along)] {
                    scratch.point.along(x, *dx, by);
                    let here = scratch.point.input(at);
                    let up = scratch.point.shift(at, step);
                    let ahead = scratch.number(call, x);
                    scratch.point.set(at, here);
                    let down = scratch.point.shift(at, -step);
                    let behind = scratch.number(call, x);
                    sum = sum + sign * ((ahead - behind) / (up - down));
                }
                sum / (along + along)
            };
            *K::X::entry(K::X::reborrow_lanes(product), at) = entry;
        }
    }
    if let Some(g) = g {
        super::first::differences(backend, scratch, call, x, Some(y), g);
    }
    y
}

/// Two evaluations for each input, four for each pair of them (one if they are one-sided), and one.
pub(super) fn hessian<K: Primal + NumberValued>(
    backend: AutoFiniteDiff,
    scratch: &mut Scratch<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    g: Option<XLanesMut<'_, K, K::Real>>,
    h: &mut Matrix<K::Real>,
) -> K::Real {
    scratch.point.load(x);
    let y = scratch.number(call, x);
    if backend.hessian == Scheme::Central {
        central(backend, scratch, call, x, y, h);
    } else {
        one_sided(backend, scratch, call, x, y, h);
    }
    if let Some(g) = g {
        super::first::differences(backend, scratch, call, x, Some(y), g);
    }
    y
}

fn central<K: Primal + NumberValued>(
    backend: AutoFiniteDiff,
    scratch: &mut Scratch<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    y: K::Real,
    h: &mut Matrix<K::Real>,
) {
    for i in 0..h.nrows() {
        let here = scratch.point.input(i);
        let step = backend.second_step(here);
        let (up, ahead) = moved(scratch, call, x, &[(i, step)]);
        let (down, behind) = moved(scratch, call, x, &[(i, -step)]);
        // Steps are not equal once rounded: divided differences of three points.
        let slopes = (ahead - y) / up - (behind - y) / down;
        h[[i, i]] = (slopes + slopes) / (up - down);
        for j in 0..i {
            let other = backend.second_step(scratch.point.input(j));
            let mut sum = zero::<K::Real>();
            for (a, b) in [(step, other), (-step, -other)] {
                sum = sum + moved(scratch, call, x, &[(i, a), (j, b)]).1;
                sum = sum - moved(scratch, call, x, &[(i, a), (j, -b)]).1;
            }
            let area = step * other;
            put(h, i, j, sum / (area + area + area + area));
        }
    }
}

fn one_sided<K: Primal + NumberValued>(
    backend: AutoFiniteDiff,
    scratch: &mut Scratch<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    y: K::Real,
    h: &mut Matrix<K::Real>,
) {
    for i in 0..h.nrows() {
        let step = backend.second_step(scratch.point.input(i));
        let (near, beside) = moved(scratch, call, x, &[(i, step)]);
        let (far, beyond) = moved(scratch, call, x, &[(i, step + step)]);
        scratch.moved[i] = beside;
        let slopes = (beyond - y) / far - (beside - y) / near;
        h[[i, i]] = (slopes + slopes) / (far - near);
        for j in 0..i {
            let other = backend.second_step(scratch.point.input(j));
            let both = moved(scratch, call, x, &[(i, step), (j, other)]).1;
            let rest = (both - beside) - (scratch.moved[j] - y);
            put(h, i, j, rest / (step * other));
        }
    }
}

fn put<R: Real>(h: &mut Matrix<R>, i: usize, j: usize, v: R) {
    h[[i, j]] = v;
    h[[j, i]] = v;
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
        let distance = scratch.point.shift(*at, *by);
        if k == 0 {
            first = distance;
        }
    }
    let y = scratch.number(call, x);
    scratch.point.load(x);
    (first, y)
}
