//! A function along lines.

use crate::function::{
    Call, Kind, NumberValued, Primal, Slot, XLanes, XLanesMut, XOwned, XRef, YLanesMut, YOwned,
};
use crate::matrix::Matrix;
use crate::primitive::Plan;
use crate::rules::{one, zero};
use crate::scalar::Real;
use crate::value::Family;

use super::super::point::{Point, largest, size, speed};
use super::super::sweep::{Values, env};
use super::scale;
use super::stencil::{Buffers, Method};

/// The point that is moved, a direction, and results.
pub(super) struct Line<K: Primal> {
    point: Point<K>,
    direction: XOwned<K, K::Real>,
    y: YOwned<K, K::Real>,
    values: Values<K, K::Real>,
    buffers: Buffers<K::Real>,
}

impl<K: Primal> Clone for Line<K> {
    fn clone(&self) -> Self {
        Line {
            point: self.point.clone(),
            direction: self.direction.clone(),
            y: self.y.clone(),
            values: self.values.clone(),
            buffers: self.buffers.clone(),
        }
    }
}

impl<K: Primal> Line<K> {
    pub(super) fn new(plan: &Plan<'_, K>, call: Call<'_, K>) -> Self {
        Line {
            point: Point::new(plan.x),
            direction: K::X::store(plan.x, zero()),
            y: K::Y::store(plan.y, zero()),
            values: Values::new(plan.y, call.form()),
            buffers: Buffers::new(K::Y::len(plan.y)),
        }
    }

    /// Derivatives of the outputs, in order.
    pub(super) fn result(&self) -> &[K::Real] {
        &self.buffers.sum
    }

    /// Copies them out.
    pub(super) fn write(&self, dy: &mut YLanesMut<'_, K, K::Real>) {
        let mut from = self.buffers.sum.iter();
        K::Y::each_mut(K::Y::reborrow_lanes(dy), &mut |to: &mut K::Real| {
            *to = from.next().copied().unwrap_or_default();
        });
    }

    /// The function at `x` itself.
    pub(super) fn value(
        &mut self,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        y: Slot<'_, K, K::Real>,
    ) {
        let values = &mut self.values;
        K::primal(env(call, &mut values.caches, &mut values.pool), x, y);
    }

    /// A derivative along a line on which `place` puts the point; returns its estimated error.
    fn run(
        &mut self,
        method: &Method,
        scale: f64,
        call: Call<'_, K>,
        like: XRef<'_, K, K::Real>,
        mut place: impl FnMut(&mut Point<K>, &XOwned<K, K::Real>, K::Real),
    ) -> f64 {
        let Line {
            point,
            direction,
            y,
            values,
            buffers,
            ..
        } = self;
        let mut evaluate = |t: K::Real, to: &mut [K::Real]| {
            place(point, direction, t);
            let slot = K::Kind::slot::<K::Y, K::Real>(y);
            let env = env(call, &mut values.caches, &mut values.pool);
            K::primal(env, point.view(like), slot);
            let mut to = to.iter_mut();
            K::Y::each(K::Y::lanes(y), &mut |v: K::Real| {
                if let Some(to) = to.next() {
                    *to = v;
                }
            });
        };
        method.derivative(scale, buffers, &mut evaluate)
    }

    /// Along a direction.
    pub(super) fn along(
        &mut self,
        method: &Method,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: XLanes<'_, K, K::Real>,
    ) -> f64 {
        let Some(speed) = speed::<K>(dx) else {
            self.buffers.sum.fill(zero());
            return 0.0;
        };
        let scale = scale(size::<K>(x)) / speed.to_f64();
        self.run(method, scale, call, x, |point, _, t| point.along(x, dx, t))
    }

    /// Along the direction that is stored.
    fn along_own(&mut self, method: &Method, call: Call<'_, K>, x: XRef<'_, K, K::Real>) -> f64 {
        let Some(speed) = speed::<K>(K::X::lanes(&self.direction)) else {
            self.buffers.sum.fill(zero());
            return 0.0;
        };
        let scale = scale(size::<K>(x)) / speed.to_f64();
        self.run(method, scale, call, x, |point, direction, t| {
            point.along(x, K::X::lanes(direction), t);
        })
    }

    /// By one input.
    pub(super) fn by_input(
        &mut self,
        method: &Method,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        at: usize,
    ) -> f64 {
        self.point.load(x);
        let here = self.point.input(at);
        self.run(method, scale(here), call, x, |point, _, t| {
            point.set(at, here + t);
        })
    }

    pub(super) fn gradient(
        &mut self,
        method: &Method,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        mut g: XLanesMut<'_, K, K::Real>,
    ) -> f64
    where
        K: NumberValued,
    {
        let mut error = 0.0;
        for at in 0..K::X::count::<K::Real>(&g) {
            error = self.by_input(method, call, x, at).max(error);
            *K::X::entry(K::X::reborrow_lanes(&mut g), at) = self.buffers.sum[0];
        }
        error
    }

    /// By polarisation, with the tangent scaled to size 1.
    pub(super) fn hvp(
        &mut self,
        second: &Method,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: XLanes<'_, K, K::Real>,
        product: &mut XLanesMut<'_, K, K::Real>,
    ) -> f64
    where
        K: NumberValued,
    {
        let mut speed = zero::<K::Real>();
        K::X::each(dx, &mut |v: K::Real| speed = largest(speed, v));
        let mut error = 0.0;
        for at in 0..K::X::count::<K::Real>(product) {
            let mut sum = zero::<K::Real>();
            let mut sides = 0.0;
            // nothing moves: nothing is evaluated
            let signs = if speed.to_f64() == 0.0 {
                &[][..]
            } else {
                &[1.0, -1.0]
            };
            for sign in signs {
                let lanes = K::X::lanes_mut(&mut self.direction);
                K::X::zip(lanes, dx, &mut |to: &mut K::Real, v: K::Real| {
                    *to = v / speed
                });
                let entry = K::X::entry(K::X::lanes_mut(&mut self.direction), at);
                *entry = *entry + K::Real::from_f64(*sign);
                sides += self.along_own(second, call, x);
                sum = sum + K::Real::from_f64(*sign) * self.buffers.sum[0];
            }
            let quarter = K::Real::from_f64(0.25) * speed;
            error = (sides * quarter.to_f64()).max(error);
            *K::X::entry(K::X::reborrow_lanes(product), at) = sum * quarter;
        }
        error
    }

    /// By polarisation: the diagonal, and sums of two directions.
    pub(super) fn hessian(
        &mut self,
        second: &Method,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        h: &mut Matrix<K::Real>,
    ) -> f64
    where
        K: NumberValued,
    {
        let mut error = 0.0;
        for i in 0..h.nrows() {
            error = self.by_input(second, call, x, i).max(error);
            h[[i, i]] = self.buffers.sum[0];
            let half = K::Real::from_f64(0.5);
            for j in 0..i {
                let lanes = K::X::lanes_mut(&mut self.direction);
                K::X::each_mut(lanes, &mut |v: &mut K::Real| *v = zero());
                for at in [i, j] {
                    *K::X::entry(K::X::lanes_mut(&mut self.direction), at) = one();
                }
                error = self.along_own(second, call, x).max(error);
                let v = (self.buffers.sum[0] - h[[i, i]] - h[[j, j]]) * half;
                h[[i, j]] = v;
                h[[j, i]] = v;
            }
        }
        1.5 * error
    }
}
