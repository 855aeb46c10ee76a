//! Runs of a function on dual numbers of one width.

use crate::batch::{passes, passes_beyond};
use crate::entries;
use crate::function::{
    Call, Env, FormOf, Generic, Kind, NumberValued, Signature, Slot, XLanes, XLanesMut, XRef,
    YLanesMut,
};
use crate::matrix::Matrix;
use crate::rules::{one, zero};
use crate::scalar::{Dual, Scalar};
use crate::value::Family;

use super::super::sweep::Lifted;

impl<F: Signature, S: Scalar<Real = F::Real>> Lifted<F, S> {
    /// One run of a function of this form; `like` has the passive parts of `x` and `fixed`.
    pub(crate) fn run<K>(&mut self, call: Call<'_, K>, like: XRef<'_, K, K::Real>)
    where
        K: Generic<
                Real = F::Real,
                X = F::X,
                Y = F::Y,
                Kind = F::Kind,
                Fixed = F::Fixed,
                Caches = F::Caches,
            >,
    {
        let env = Env {
            ctx: call.ctx,
            fixed: K::Fixed::get(&self.fixed, K::Fixed::shorten(call.fixed)),
            caches: &mut self.values.caches,
            pool: &mut self.values.pool,
        };
        let view = K::X::get(&self.x, K::X::shorten::<K::Real>(like));
        K::generic::<S>(env, view, K::Kind::slot::<K::Y, S>(&mut self.values.y));
    }
}

impl<F: Signature, const W: usize> Lifted<F, Dual<F::Real, W>> {
    /// Takes over the values of a call; each input, there are `W` at most, is a direction of a run.
    fn begin(&mut self, call: Call<'_, F>, x: XRef<'_, F, F::Real>) {
        let seeded = &mut entries::variables::<F::Real, W>();
        F::X::zip_values(F::X::lanes_mut(&mut self.x), x, seeded);
        let fixed = F::Fixed::lanes_mut(&mut self.fixed);
        F::Fixed::zip_values(fixed, call.fixed, &mut entries::lift::<Dual<F::Real, W>>());
    }
}

/// Writes `value` to the tangents of the inputs from `at`, one in each lane.
fn seed<K: Signature, S: Scalar<Real = K::Real>, const W: usize>(
    duals: &mut Lifted<K, Dual<S, W>>,
    at: usize,
    count: usize,
    value: S,
) {
    for k in 0..count {
        K::X::entry(K::X::lanes_mut(&mut duals.x), at + k).tangents[k] = value;
    }
}

/// Writes the value to its place.
fn value<K: Signature, const W: usize>(
    duals: &Lifted<K, Dual<K::Real, W>>,
    y: &mut Slot<'_, K, K::Real>,
) {
    let map = &mut entries::value_of::<K::Real, W>();
    K::Kind::convert::<K::Y, _, K::Real>(&duals.values.y, y, zero(), map);
}

/// As many runs as the tangents need.
#[inline(never)]
pub(super) fn pushforward<K: Generic, const W: usize>(
    duals: &mut Lifted<FormOf<K>, Dual<K::Real, W>>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    dx: &[XLanes<'_, K, K::Real>],
    y: &mut Slot<'_, K, K::Real>,
    dy: &mut [YLanesMut<'_, K, K::Real>],
) {
    // Without tangents the value is still wanted.
    let empty = dx.is_empty().then_some((0, 0));
    for (at, count) in passes(dx.len(), W).chain(empty) {
        duals.load(call.form(), x);
        for (k, dx) in dx[at..at + count].iter().enumerate() {
            let to = K::X::lanes_mut(&mut duals.x);
            K::X::zip(to, *dx, &mut entries::set_tangent::<K::Real, W>(k));
        }
        duals.run(call, x);
        for (k, dy) in dy[at..at + count].iter_mut().enumerate() {
            let (to, from) = (K::Y::reborrow_lanes(dy), K::Y::lanes(&duals.values.y));
            K::Y::zip(to, from, &mut entries::tangent::<K::Real, W>(k));
        }
    }
    value(duals, y);
}

/// The gradient in chunks.
#[inline(never)]
pub(super) fn gradient<K: Generic + NumberValued, const W: usize>(
    duals: &mut Lifted<FormOf<K>, Dual<K::Real, W>>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    n: usize,
    chunk: usize,
    mut g: XLanesMut<'_, K, K::Real>,
) -> K::Real {
    if n <= chunk {
        // all at once, and nothing to take back
        duals.begin(call.form(), x);
        duals.run(call, x);
        let mut tangents = duals.values.y.tangents.iter();
        K::X::each_mut(g, &mut entries::next_of(&mut tangents));
        return duals.values.y.value;
    }
    duals.load(call.form(), x);
    for (at, count) in passes(n, chunk) {
        seed(duals, at, count, one());
        duals.run(call, x);
        seed(duals, at, count, zero());
        for k in 0..count {
            let to = K::X::entry(K::X::reborrow_lanes(&mut g), at + k);
            *to = duals.values.y.tangents[k];
        }
    }
    duals.values.y.value
}

/// The Jacobian by columns, in chunks.
#[inline(never)]
pub(super) fn jacobian<K: Generic, const W: usize>(
    duals: &mut Lifted<FormOf<K>, Dual<K::Real, W>>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    chunk: usize,
    y: &mut Slot<'_, K, K::Real>,
    j: &mut Matrix<K::Real>,
) {
    let n = j.ncols();
    duals.load(call.form(), x);
    let empty = (n == 0).then_some((0, 0));
    for (at, count) in passes(n, chunk).chain(empty) {
        seed(duals, at, count, one());
        duals.run(call, x);
        seed(duals, at, count, zero());
        let dy = K::Y::lanes(&duals.values.y);
        let columns = entries::columns::<K::Real, W>(j.as_mut_slice(), n, at, count);
        K::Y::each(dy, &mut entries::of_tangents(columns));
    }
    value(duals, y);
}

/// The gradient in another scalar, in chunks; those that end before `from` are left out.
pub(super) fn gradient_in<'c, K, S, const W: usize>(
    duals: &mut Lifted<FormOf<K>, Dual<S, W>>,
    env: Env<'_, 'c, K, S>,
    x: XRef<'_, K, S>,
    mut g: XLanesMut<'_, K, S>,
    from: usize,
) -> S
where
    K: Generic + NumberValued + 'c,
    S: Scalar<Real = K::Real>,
{
    lift(duals, &env, x);
    let n = K::X::count::<S>(&g);
    let empty = (n == 0).then_some((0, 0));
    for (at, count) in passes_beyond(n, W, from).chain(empty) {
        seed(duals, at, count, one());
        run_in(duals, &env, x);
        seed(duals, at, count, zero());
        for k in 0..count {
            let to = K::X::entry(K::X::reborrow_lanes(&mut g), at + k);
            *to = duals.values.y.tangents[k];
        }
    }
    duals.values.y.value
}

/// Takes over values in the scalar `S`.
pub(super) fn lift<'c, K: Generic + 'c, S: Scalar<Real = K::Real>, const W: usize>(
    duals: &mut Lifted<FormOf<K>, Dual<S, W>>,
    env: &Env<'_, 'c, K, S>,
    x: XRef<'_, K, S>,
) {
    let lift = &mut entries::constant::<S, W>();
    K::X::zip_values(K::X::lanes_mut(&mut duals.x), x, lift);
    K::Fixed::zip_values(K::Fixed::lanes_mut(&mut duals.fixed), env.fixed, lift);
}

/// One run on dual numbers over `S`.
pub(super) fn run_in<'c, K: Generic + 'c, S: Scalar<Real = K::Real>, const W: usize>(
    duals: &mut Lifted<FormOf<K>, Dual<S, W>>,
    env: &Env<'_, 'c, K, S>,
    like: XRef<'_, K, S>,
) {
    let inner = Env {
        ctx: env.ctx,
        fixed: K::Fixed::get(&duals.fixed, K::Fixed::shorten(env.fixed)),
        caches: &mut duals.values.caches,
        pool: &mut duals.values.pool,
    };
    let view = K::X::get(&duals.x, K::X::shorten::<S>(like));
    K::generic::<Dual<S, W>>(inner, view, K::Kind::slot::<K::Y, _>(&mut duals.values.y));
}
