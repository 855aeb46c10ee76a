//! Adjoint code in lanes: pullbacks and Jacobians by rows, many seeds over one forward sweep.

use crate::batch::{WIDEST, passes};
use crate::capability::Operator;
use crate::entries;
use crate::error::{Error, check_lanes};
use crate::function::{
    Call, FormOf, Kind, Signature, Slot, Source, XLanesMut, XRef, YAdjoint, YLanes, YShape,
};
use crate::generated::Fresh;
use crate::matrix::Matrix;
use crate::primitive::Space;
use crate::rules::{one, zero};
use crate::scalar::Zero;
use crate::value::Family;

use super::super::lanes::{Wide, many, widths};
use super::super::sweep::{Memory, Tangents, Values, clear_caches, env};
use super::{AutoSource, MADE, Scratch};

/// The forward sweep. A function that returns may have returned another length than it was prepared
/// for: its adjoint would not fit.
pub(super) fn augment<K: Source>(
    operator: Operator,
    values: &mut Values<FormOf<K>, K::Real>,
    memory: &mut Memory<K::Real>,
    expected: &YShape<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    y: &mut Slot<'_, K, K::Real>,
) -> Result<(), Error> {
    let slot = K::Kind::again::<K::Y, K::Real>(y);
    let env = env(call, &mut values.caches, &mut values.pool);
    K::augmented::<K::Real>(env, x, slot, memory.record());
    let result = K::Kind::result::<K::Y, K::Real>(y);
    check_lanes::<K::Y, K::Real>(operator, expected, result)
}

/// One reverse sweep; adjoints of the result are in `lanes`, those of `x` end up there.
fn run<K: Source, const W: usize>(
    memory: &Memory<K::Real>,
    lanes: &mut Tangents<FormOf<K>, [K::Real; W]>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
) {
    clear(lanes);
    let yb: YAdjoint<'_, K, [K::Real; W]> =
        K::Y::adjoint::<[K::Real; W]>(K::Y::lanes_mut(&mut lanes.y));
    K::reverse::<K::Real, [K::Real; W], Fresh>(
        call.ctx,
        call.fixed,
        x,
        lanes.x.lanes_mut(),
        &mut lanes.caches,
        yb,
        memory.kept(),
        &mut lanes.pool,
    );
}

/// One forward sweep, unless the point is the same, and as many reverse ones as the adjoints need.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn pullback<K: Source>(
    space: &mut Space<K, AutoSource>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    dy: &[YLanes<'_, K, K::Real>],
    y: Slot<'_, K, K::Real>,
    dx: &mut [XLanesMut<'_, K, K::Real>],
) -> Result<(), Error> {
    record(space, call, x, y)?;
    let Scratch { memory, lanes, .. } = &mut space.scratch;
    widths!(Wide, lanes.as_mut().expect(MADE), lanes => pull(memory, lanes, call, x, dy, dx));
    Ok(())
}

/// The same with single lanes.
pub(super) fn pullback_one<K: Source>(
    space: &mut Space<K, AutoSource>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    dy: &[YLanes<'_, K, K::Real>],
    y: Slot<'_, K, K::Real>,
    dx: &mut [XLanesMut<'_, K, K::Real>],
) -> Result<(), Error> {
    record(space, call, x, y)?;
    let Scratch { memory, lanes, .. } = &mut space.scratch;
    pull(
        memory,
        lanes.as_mut().expect(MADE).single(),
        call,
        x,
        dy,
        dx,
    );
    Ok(())
}

/// The forward sweep, or what there is of it at a point that is the same.
fn record<K: Source>(
    space: &mut Space<K, AutoSource>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    mut y: Slot<'_, K, K::Real>,
) -> Result<(), Error> {
    let Scratch {
        values,
        memory,
        recorded,
        ..
    } = &mut space.scratch;
    if space.same_point && *recorded {
        K::Kind::copy::<K::Y, K::Real>(&values.y, y);
    } else {
        *recorded = false;
        augment(
            Operator::Pullback,
            values,
            memory,
            &space.y,
            call,
            x,
            &mut y,
        )?;
    }
    Ok(())
}

#[inline(never)]
fn pull<K: Source, const W: usize>(
    memory: &Memory<K::Real>,
    lanes: &mut Tangents<FormOf<K>, [K::Real; W]>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    dy: &[YLanes<'_, K, K::Real>],
    dx: &mut [XLanesMut<'_, K, K::Real>],
) {
    for (at, count) in passes(dy.len(), W) {
        for k in 0..W {
            let to = K::Y::lanes_mut(&mut lanes.y);
            match dy[at..at + count].get(k) {
                Some(dy) => K::Y::zip(to, *dy, &mut entries::set_lane::<K::Real, W>(k)),
                None => K::Y::each_mut(to, &mut entries::clear_lane::<K::Real, W>(k)),
            }
        }
        run(memory, lanes, call, x);
        for (k, dx) in dx[at..at + count].iter_mut().enumerate() {
            let (to, from) = (K::X::reborrow_lanes(dx), lanes.x.lanes());
            K::X::zip(to, from, &mut entries::lane::<K::Real, W>(k));
        }
    }
}

/// The Jacobian by rows.
pub(super) fn jacobian<K: Source>(
    space: &mut Space<K, AutoSource>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    mut y: Slot<'_, K, K::Real>,
    j: &mut Matrix<K::Real>,
) -> Result<(), Error> {
    let Scratch {
        values,
        memory,
        lanes,
        ..
    } = &mut space.scratch;
    // A result whose length is not known before may not be what the rows were prepared for.
    let known = K::Kind::IN_PLACE || K::Y::fixed_shape().is_some();
    if known && j.nrows() <= WIDEST {
        many!(Wide, lanes.as_mut().expect(MADE), lanes => {
            at_once(values, memory, lanes, call, x, y, j);
        });
        return Ok(());
    }
    augment(
        Operator::Jacobian,
        values,
        memory,
        &space.y,
        call,
        x,
        &mut y,
    )?;
    many!(Wide, lanes.as_mut().expect(MADE), lanes => rows(memory, lanes, call, x, j));
    Ok(())
}

/// Few rows: both sweeps in one, so that small functions keep their record in registers. A function of
/// its own for each width: merged into one they are compiled worse.
#[inline(never)]
fn at_once<K: Source, const W: usize>(
    values: &mut Values<FormOf<K>, K::Real>,
    memory: &mut Memory<K::Real>,
    lanes: &mut Tangents<FormOf<K>, [K::Real; W]>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    y: Slot<'_, K, K::Real>,
    j: &mut Matrix<K::Real>,
) {
    let m = j.nrows();
    seed(lanes, 0, m);
    clear(lanes);
    memory.tape.reset();
    K::fused::<K::Real, [K::Real; W]>(
        env(call, &mut values.caches, &mut values.pool),
        x,
        lanes.x.lanes_mut(),
        &mut lanes.caches,
        y,
        K::Y::adjoint::<[K::Real; W]>(K::Y::lanes_mut(&mut lanes.y)),
        &mut memory.tape,
    );
    write_rows(lanes, 0, m, j);
}

/// Any number of rows: one forward sweep, and a reverse sweep for each pass.
#[inline(never)]
fn rows<K: Source, const W: usize>(
    memory: &Memory<K::Real>,
    lanes: &mut Tangents<FormOf<K>, [K::Real; W]>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    j: &mut Matrix<K::Real>,
) {
    for (at, count) in passes(j.nrows(), W) {
        seed(lanes, at, count);
        run(memory, lanes, call, x);
        write_rows(lanes, at, count, j);
    }
}

/// Unit adjoints of the results from `at`, one in each lane.
fn seed<K: Signature, const W: usize>(
    lanes: &mut Tangents<K, [K::Real; W]>,
    at: usize,
    count: usize,
) {
    let zeros = &mut |a: &mut [K::Real; W]| *a = Zero::zero();
    K::Y::each_mut(K::Y::lanes_mut(&mut lanes.y), zeros);
    for k in 0..count {
        // whole lanes, as the sweep reads them: it would wait for one that is written in part
        let unit = core::array::from_fn(|lane| if lane == k { one() } else { zero() });
        *K::Y::entry(K::Y::lanes_mut(&mut lanes.y), at + k) = unit;
    }
}

/// Zero adjoints of `x` and of caches.
fn clear<K: Signature, const W: usize>(lanes: &mut Tangents<K, [K::Real; W]>) {
    clear_caches::<K::Caches, [K::Real; W]>(&mut lanes.caches);
}

/// Adjoints of `x` as the rows from `at`. A function of its own: merged with the sweep that one is compiled worse.
#[inline(never)]
fn write_rows<K: Signature, const W: usize>(
    lanes: &Tangents<K, [K::Real; W]>,
    at: usize,
    count: usize,
    j: &mut Matrix<K::Real>,
) {
    let xb = lanes.x.lanes();
    // where the type tells how many there are, nothing is left to be compared entry by entry
    let n = K::X::fixed_shape().map_or(j.ncols(), |shape| K::X::len(&shape));
    for k in 0..count {
        let mut row = j.row_mut(at + k)[..n].iter_mut();
        K::X::each::<[K::Real; W]>(xb, &mut |v| {
            if let Some(to) = row.next() {
                *to = v[k];
            }
        });
    }
}
