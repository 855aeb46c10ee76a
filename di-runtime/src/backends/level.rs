//! An inner engine of ours run in the scalar of an outer one.

use crate::batch::{even_batch, passes};
use crate::function::{
    Call, Env, Generic, Kind, NumberValued, OfNumber, Slot, XLanes, XLanesMut, XOwned, XRef,
    YLanesMut, YOwned,
};
use crate::matrix::Matrix;
use crate::primitive::Plan;
use crate::rules::zero;
use crate::scalar::Scalar;
use crate::second_order::{Inside, InsideOf, Nested};
use crate::value::Family;

use super::sweep::Lifted;

/// A scalar with tangents in lanes.
pub trait Seeded: Scalar {
    /// How many it has.
    const LANES: usize;

    /// The same with another tangent.
    fn with_lane(self, k: usize, v: Self::Real) -> Self;
    /// A tangent.
    fn lane(self, k: usize) -> Self::Real;
}

/// What both engines work in.
pub struct Level<K: Generic, S: Scalar<Real = K::Real>, I: Nested<K>> {
    pub(super) lifted: Lifted<K, S>,
    pub(super) g: XOwned<K, S>,
    pub(super) dy: YOwned<K, S>,
    inner: InsideOf<K, I, S>,
}

impl<K: Generic, S: Scalar<Real = K::Real>, I: Nested<K>> Clone for Level<K, S, I> {
    fn clone(&self) -> Self {
        Level {
            lifted: self.lifted.clone(),
            g: self.g.clone(),
            dy: self.dy.clone(),
            inner: self.inner.clone(),
        }
    }
}

impl<K: Generic, S: Scalar<Real = K::Real>, I: Nested<K>> Level<K, S, I> {
    pub(super) fn new(inner: &I, plan: &Plan<'_, K>, call: Call<'_, K>) -> Self {
        Level {
            lifted: Lifted::new(plan.x, plan.y, call.form()),
            g: K::X::store(plan.x, zero()),
            dy: K::Kind::storage::<K::Y, _>(plan.y, zero()),
            inner: I::Inside::new::<S>(inner.size(), plan.x, plan.y, call.form()),
        }
    }

    /// The gradient at the inputs that are loaded; returns the value.
    pub(super) fn gradient(&mut self, inner: &I, call: Call<'_, K>, like: XRef<'_, K, K::Real>) -> S
    where
        K: NumberValued,
    {
        let lifted = &mut self.lifted;
        let env = Env {
            ctx: call.ctx,
            fixed: K::Fixed::get(&lifted.fixed, K::Fixed::shorten(call.fixed)),
            caches: &mut lifted.values.caches,
            pool: &mut lifted.values.pool,
        };
        let view = K::X::get(&lifted.x, K::X::shorten::<K::Real>(like));
        let g = K::X::lanes_mut(&mut self.g);
        inner.gradient_in(&mut self.inner, env, view, g, 0, true)
    }

    /// Takes over fixed parameters.
    pub(super) fn load_fixed(&mut self, call: Call<'_, K>) {
        let fixed = K::Fixed::lanes_mut(&mut self.lifted.fixed);
        let lift = &mut |to: &mut S, v: K::Real| *to = S::from_real(v);
        K::Fixed::zip_values(fixed, call.fixed, lift);
    }

    /// The derivative by a number, with the fixed parameters that are loaded.
    pub(super) fn derivative(&mut self, inner: &I, call: Call<'_, K>, x: S)
    where
        K: OfNumber,
    {
        let lifted = &mut self.lifted;
        let env = Env {
            ctx: call.ctx,
            fixed: K::Fixed::get(&lifted.fixed, K::Fixed::shorten(call.fixed)),
            caches: &mut lifted.values.caches,
            pool: &mut lifted.values.pool,
        };
        let y = K::Kind::slot::<K::Y, _>(&mut lifted.values.y);
        let dy = K::Kind::lane_slot::<K::Y, _>(&mut self.dy);
        inner.derivative_in(&mut self.inner, env, x, y, dy);
    }

    pub(super) fn write_gradient(&self, g: Option<XLanesMut<'_, K, K::Real>>) {
        if let Some(g) = g {
            let value = &mut |to: &mut K::Real, v: S| *to = v.primal();
            K::X::zip(g, K::X::lanes(&self.g), value);
        }
    }

    pub(super) fn write_derivative(
        &self,
        mut y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
    ) {
        let first = &mut |to: &mut K::Real, v: S| *to = v.primal();
        K::Y::zip(dy, K::Y::lanes(&self.dy), first);
        let value = &mut |v: S| v.primal();
        K::Kind::convert::<K::Y, _, K::Real>(&self.lifted.values.y, &mut y, zero(), value);
    }

    /// Writes what lies on and below the diagonal of a column, to both sides.
    pub(super) fn put(&self, column: usize, h: &mut Matrix<K::Real>, of: impl Fn(S) -> K::Real) {
        let mut row = 0;
        K::X::each(K::X::lanes(&self.g), &mut |v: S| {
            if row >= column {
                h[[row, column]] = of(v);
                h[[column, row]] = of(v);
            }
            row += 1;
        });
    }
}

/// An outer engine whose scalar carries tangents. Seeds are `scale` times as large as what they stand for.
impl<K: Generic, S: Seeded<Real = K::Real>, I: Nested<K>> Level<K, S, I> {
    #[allow(clippy::too_many_arguments, reason = "two engines and three results")]
    pub(super) fn second_derivative(
        &mut self,
        inner: &I,
        scale: K::Real,
        call: Call<'_, K>,
        x: K::Real,
        y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
        ddy: YLanesMut<'_, K, K::Real>,
    ) where
        K: OfNumber,
    {
        self.load_fixed(call);
        self.derivative(inner, call, S::from_real(x).with_lane(0, scale));
        let second = &mut |to: &mut K::Real, v: S| *to = v.lane(0) / scale;
        K::Y::zip(ddy, K::Y::lanes(&self.dy), second);
        self.write_derivative(y, dy);
    }

    #[allow(clippy::too_many_arguments, reason = "two engines and two results")]
    pub(super) fn hvp(
        &mut self,
        inner: &I,
        scale: K::Real,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        g: Option<XLanesMut<'_, K, K::Real>>,
        products: &mut [XLanesMut<'_, K, K::Real>],
    ) -> K::Real
    where
        K: NumberValued,
    {
        let mut y = zero();
        let empty = dx.is_empty().then_some((0, 0));
        for (at, count) in passes(dx.len(), S::LANES).chain(empty) {
            self.lifted.load(call, x);
            for (k, dx) in dx[at..at + count].iter().enumerate() {
                let lanes = K::X::lanes_mut(&mut self.lifted.x);
                K::X::zip(lanes, *dx, &mut |to: &mut S, v: K::Real| {
                    *to = to.with_lane(k, scale * v);
                });
            }
            y = self.gradient(inner, call, x).primal();
            for (k, product) in products[at..at + count].iter_mut().enumerate() {
                let (to, from) = (K::X::reborrow_lanes(product), K::X::lanes(&self.g));
                K::X::zip(to, from, &mut |to: &mut K::Real, v: S| {
                    *to = v.lane(k) / scale
                });
            }
        }
        self.write_gradient(g);
        y
    }

    pub(super) fn hessian(
        &mut self,
        inner: &I,
        scale: K::Real,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: Option<XLanesMut<'_, K, K::Real>>,
        h: &mut Matrix<K::Real>,
    ) -> K::Real
    where
        K: NumberValued,
    {
        let n = h.nrows();
        let mut y = zero();
        let empty = (n == 0).then_some((0, 0));
        self.lifted.load(call, x);
        for (at, count) in passes(n, even_batch(n, S::LANES)).chain(empty) {
            for k in 0..count {
                let entry = K::X::entry(K::X::lanes_mut(&mut self.lifted.x), at + k);
                *entry = entry.with_lane(k, scale);
            }
            y = self.gradient(inner, call, x).primal();
            for k in 0..count {
                let entry = K::X::entry(K::X::lanes_mut(&mut self.lifted.x), at + k);
                *entry = S::from_real(entry.primal());
                self.put(at + k, h, |v| v.lane(k) / scale);
            }
        }
        self.write_gradient(g);
        y
    }
}

/// An outer engine with tangents in the scalar `$scalar` over any inner one: `scale` by `$scale`.
macro_rules! outer {
    ([$($generics:tt)*] $backend:ty, $scalar:ty, $scale:expr) => {
        impl<$($generics)*, I: Nested<K> + Backend<K>> $crate::second_order::Outer<K, I> for $backend {
            type Scratch = Level<K, $scalar, I>;

            fn scratch(
                &self,
                inner: &I,
                plan: &Plan<'_, K>,
                call: Call<'_, K>,
                _x: XRef<'_, K, K::Real>,
            ) -> Result<Self::Scratch, Error> {
                Ok(Level::new(inner, plan, call))
            }

            fn second_derivative(
                &self,
                inner: &I,
                level: &mut Self::Scratch,
                call: Call<'_, K>,
                x: K::Real,
                y: Slot<'_, K, K::Real>,
                dy: YLanesMut<'_, K, K::Real>,
                ddy: YLanesMut<'_, K, K::Real>,
            ) -> Result<(), Error>
            where
                K: OfNumber,
            {
                level.second_derivative(inner, $scale(self), call, x, y, dy, ddy);
                Ok(())
            }

            fn hvp(
                &self,
                inner: &I,
                level: &mut Self::Scratch,
                call: Call<'_, K>,
                x: XRef<'_, K, K::Real>,
                dx: &[XLanes<'_, K, K::Real>],
                g: Option<XLanesMut<'_, K, K::Real>>,
                products: &mut [XLanesMut<'_, K, K::Real>],
            ) -> Result<K::Real, Error>
            where
                K: NumberValued,
            {
                Ok(level.hvp(inner, $scale(self), call, x, dx, g, products))
            }

            fn hessian(
                &self,
                inner: &I,
                level: &mut Self::Scratch,
                call: Call<'_, K>,
                x: XRef<'_, K, K::Real>,
                g: Option<XLanesMut<'_, K, K::Real>>,
                h: &mut Matrix<K::Real>,
            ) -> Result<K::Real, Error>
            where
                K: NumberValued,
            {
                Ok(level.hessian(inner, $scale(self), call, x, g, h))
            }
        }
    };
}

/// Second order of an engine alone: our dual numbers inside of it.
macro_rules! over_dual {
    ($self:ident, $space:ident, $operator:ident, $($arg:ident),*) => {
        $crate::second_order::Outer::<K, AutoDual>::$operator(
            $self,
            &AutoDual::new(),
            $space.scratch.second.as_mut().expect(MADE),
            $($arg),*
        )
    };
}

pub(super) use {outer, over_dual};
