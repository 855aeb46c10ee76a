//! Tangent code in lanes: pushforwards, forward gradients, Jacobians by columns.

use crate::batch::passes_or_one;
use crate::entries;
use crate::function::{
    Call, FormOf, Kind, LaneSlot, NumberValued, OfNumber, Slot, Source, XLanes, XLanesMut, XRef,
    YLanesMut,
};
use crate::matrix::Matrix;
use crate::primitive::Space;
use crate::rules::zero;
use crate::value::Family;

use super::super::lanes::{Wide, many, of_gradients, widths};
use super::super::sweep::{Tangents, Values, env};
use super::{AutoSource, MADE, Scratch};

/// One run of the tangent code; tangents of `x` are in `lanes`, those of the result end up there.
fn run<K: Source, const W: usize>(
    values: &mut Values<FormOf<K>, K::Real>,
    lanes: &mut Tangents<FormOf<K>, [K::Real; W]>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    y: Slot<'_, K, K::Real>,
) {
    let dy: LaneSlot<'_, K, [K::Real; W]> = K::Kind::lane_slot::<K::Y, _>(&mut lanes.y);
    K::tangent::<K::Real, [K::Real; W]>(
        env(call, &mut values.caches, &mut values.pool),
        x,
        lanes.x.lanes(),
        &mut lanes.caches,
        y,
        dy,
    );
}

/// As many runs as the tangents need.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn pushforward<K: Source>(
    scratch: &mut Scratch<FormOf<K>>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    dx: &[XLanes<'_, K, K::Real>],
    mut y: Slot<'_, K, K::Real>,
    dy: &mut [YLanesMut<'_, K, K::Real>],
) {
    let Scratch { values, lanes, .. } = scratch;
    widths!(Wide, lanes.as_mut().expect(MADE), lanes => {
        let y = &mut y;
        push(values, lanes, call, x, dx, y, dy);
    });
}

/// The same with single lanes.
pub(super) fn pushforward_one<K: Source>(
    scratch: &mut Scratch<FormOf<K>>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    dx: &[XLanes<'_, K, K::Real>],
    mut y: Slot<'_, K, K::Real>,
    dy: &mut [YLanesMut<'_, K, K::Real>],
) {
    let Scratch { values, lanes, .. } = scratch;
    let lanes = lanes.as_mut().expect(MADE).single();
    push(values, lanes, call, x, dx, &mut y, dy);
}

#[inline(never)]
fn push<K: Source, const W: usize>(
    values: &mut Values<FormOf<K>, K::Real>,
    lanes: &mut Tangents<FormOf<K>, [K::Real; W]>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    dx: &[XLanes<'_, K, K::Real>],
    y: &mut Slot<'_, K, K::Real>,
    dy: &mut [YLanesMut<'_, K, K::Real>],
) {
    for (at, count) in passes_or_one(dx.len(), W) {
        lanes.x.set(&dx[at..at + count]);
        run(values, lanes, call, x, K::Kind::again::<K::Y, K::Real>(y));
        for (k, dy) in dy[at..at + count].iter_mut().enumerate() {
            let (to, from) = (K::Y::reborrow_lanes(dy), K::Y::lanes(&lanes.y));
            K::Y::zip(to, from, &mut entries::lane::<K::Real, W>(k));
        }
    }
}

/// Value and derivative by a number: one run, in a lane of its own.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn derivative<K: Source + OfNumber>(
    scratch: &mut Scratch<FormOf<K>>,
    call: Call<'_, K>,
    x: K::Real,
    y: Slot<'_, K, K::Real>,
    dy: YLanesMut<'_, K, K::Real>,
) {
    let Scratch { values, lanes, .. } = scratch;
    let lanes = lanes.as_mut().expect(MADE).single();
    lanes.x.set_units(0, 1);
    run(values, lanes, call, x, y);
    let lane = &mut entries::lane::<K::Real, 1>(0);
    K::Y::zip(dy, K::Y::lanes(&lanes.y), lane);
}

/// The gradient in as few runs as the lanes allow. A function of its own, so that reverse gradients of small functions are
/// inlined where they are called.
#[inline(never)]
pub(super) fn gradient<K: Source + NumberValued>(
    space: &mut Space<K, AutoSource>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    g: XLanesMut<'_, K, K::Real>,
) -> K::Real {
    let n = K::X::len(&space.x);
    let Scratch { values, lanes, .. } = &mut space.scratch;
    of_gradients!(lanes.as_mut().expect(MADE), lanes => gradient_in(values, lanes, n, call, x, g))
}

#[inline(never)]
fn gradient_in<K: Source + NumberValued, const W: usize>(
    values: &mut Values<FormOf<K>, K::Real>,
    lanes: &mut Tangents<FormOf<K>, [K::Real; W]>,
    n: usize,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    mut g: XLanesMut<'_, K, K::Real>,
) -> K::Real {
    let mut y = zero::<K::Real>();
    for (at, count) in passes_or_one(n, W) {
        lanes.x.set_units(at, count);
        run(values, lanes, call, x, &mut y);
        for k in 0..count {
            *K::X::entry(K::X::reborrow_lanes(&mut g), at + k) = lanes.y[k];
        }
    }
    y
}

/// The Jacobian by columns.
pub(super) fn jacobian<K: Source>(
    space: &mut Space<K, AutoSource>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    mut y: Slot<'_, K, K::Real>,
    j: &mut Matrix<K::Real>,
) {
    let n = K::X::len(&space.x);
    let Scratch { values, lanes, .. } = &mut space.scratch;
    many!(Wide, lanes.as_mut().expect(MADE), lanes => {
        columns(values, lanes, n, call, x, &mut y, j);
    });
}

#[inline(never)]
fn columns<K: Source, const W: usize>(
    values: &mut Values<FormOf<K>, K::Real>,
    lanes: &mut Tangents<FormOf<K>, [K::Real; W]>,
    n: usize,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    y: &mut Slot<'_, K, K::Real>,
    j: &mut Matrix<K::Real>,
) {
    for (at, count) in passes_or_one(n, W) {
        lanes.x.set_units(at, count);
        run(values, lanes, call, x, K::Kind::again::<K::Y, K::Real>(y));
        let dy = K::Y::lanes(&lanes.y);
        let entries = j.as_mut_slice();
        K::Y::each(
            dy,
            &mut entries::columns::<K::Real, W>(entries, n, at, count),
        );
    }
}
