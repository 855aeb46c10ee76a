//! Dual numbers over the scalar of an outer engine.

use crate::function::{
    Call, Env, Generic, Kind, LaneSlot, NumberValued, OfNumber, Signature, Slot, XLanesMut, XRef,
    XShape, YShape,
};
use crate::rules::{one, zero};
use crate::scalar::{Dual, Scalar};
use crate::second_order::{Inside, InsideOf, Nested};

use super::super::sweep::Lifted;
use super::{AutoDual, run};

/// Directions of the inner level at once: both levels together hold `(1 + 4)(1 + 8)` numbers.
const INNER: usize = 4;

/// Dual numbers in each scalar.
pub struct Inners;

impl<K: Signature> Inside<K> for Inners {
    type In<S: Scalar<Real = K::Real>> = Lifted<K, Dual<S, INNER>>;
    type Size = ();

    fn new<S: Scalar<Real = K::Real>>(
        (): (),
        x: &XShape<K>,
        y: &YShape<K>,
        call: Call<'_, K>,
    ) -> Self::In<S> {
        Lifted::new(x, y, call.form())
    }

    fn buffers<S: Scalar<Real = K::Real>>(inner: &Self::In<S>) -> u64 {
        inner.values.pool.state()
    }
}

impl<K: Generic> Nested<K> for AutoDual {
    type Inside = Inners;

    fn size(&self) {}

    fn gradient_in<'c, S: Scalar<Real = K::Real>>(
        &self,
        inner: &mut InsideOf<K, Self, S>,
        env: Env<'_, 'c, K, S>,
        x: XRef<'_, K, S>,
        g: XLanesMut<'_, K, S>,
        from: usize,
        _valued: bool,
    ) -> S
    where
        K: NumberValued + 'c,
    {
        run::gradient_in(inner, env, x, g, from)
    }

    fn derivative_in<'c, S: Scalar<Real = K::Real>>(
        &self,
        inner: &mut InsideOf<K, Self, S>,
        env: Env<'_, 'c, K, S>,
        x: S,
        mut y: Slot<'_, K, S>,
        dy: LaneSlot<'_, K, S>,
    ) where
        K: OfNumber + 'c,
    {
        run::lift(inner, &env, x);
        inner.x.tangents[0] = one();
        run::run_in(inner, &env, x);
        let result = &inner.values.y;
        K::Kind::convert::<K::Y, _, S>(result, &mut y, zero(), &mut |v: Dual<S, INNER>| v.value);
        let tangent = &mut |v: Dual<S, INNER>| v.tangents[0];
        K::Kind::convert_lanes::<K::Y, _, S>(result, dy, zero(), tangent);
    }
}
