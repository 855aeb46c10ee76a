//! Differences of high order of an inner engine's first derivatives.

use crate::backend::Backend;
use crate::capability::Operator;
use crate::error::Error;
use crate::function::{
    Call, Kind, NumberValued, OfNumber, Primal, Slot, XLanes, XLanesMut, XOwned, XRef, YLanesMut,
    YOwned,
};
use crate::matrix::Matrix;
use crate::primitive::{Plan, Space, Workspace};
use crate::rules::zero;
use crate::scalar::Real;
use crate::second_order::Outer;
use crate::value::Family;

use super::super::point::{Point, size, speed};
use super::stencil::{Buffers, Method};
use super::{AutoFiniteDifferences, scale};

/// The inner engine's space, the point that is moved, and its derivative there.
pub struct Scratch<K: Primal, I: Backend<K>> {
    space: Space<K, I>,
    method: Method,
    point: Point<K>,
    buffers: Buffers<K::Real>,
    g: XOwned<K, K::Real>,
    y: YOwned<K, K::Real>,
    dy: YOwned<K, K::Real>,
}

impl<K: Primal, I: Backend<K>> Clone for Scratch<K, I> {
    fn clone(&self) -> Self {
        Scratch {
            space: self.space.clone(),
            method: self.method.clone(),
            point: self.point.clone(),
            buffers: self.buffers.clone(),
            g: self.g.clone(),
            y: self.y.clone(),
            dy: self.dy.clone(),
        }
    }
}

/// Copies lanes to a row of numbers.
fn flatten<F: Family, R: Real>(from: F::LanesRef<'_, R>, to: &mut [R]) {
    let mut to = to.iter_mut();
    F::each(from, &mut |v: R| {
        if let Some(to) = to.next() {
            *to = v;
        }
    });
}

/// Copies a row of numbers to lanes.
fn write<F: Family, R: Real>(from: &[R], to: F::LanesMut<'_, R>) {
    let mut from = from.iter();
    F::each_mut(to, &mut |to: &mut R| {
        *to = from.next().copied().unwrap_or_default();
    });
}

impl<K: Primal, I: Backend<K>> Scratch<K, I> {
    /// The derivative of the gradient along a line on which `place` puts the point, to the buffers.
    fn run(
        &mut self,
        inner: &I,
        scale: f64,
        call: Call<'_, K>,
        like: XRef<'_, K, K::Real>,
        mut place: impl FnMut(&mut Point<K>, K::Real),
    ) -> Result<(), Error>
    where
        K: NumberValued,
    {
        let Scratch {
            space,
            method,
            point,
            buffers,
            g,
            ..
        } = self;
        let mut outcome = Ok(());
        let mut evaluate = |t: K::Real, to: &mut [K::Real]| {
            place(point, t);
            let found = inner.gradient(space, call, point.view(like), K::X::lanes_mut(g));
            if let (Err(error), true) = (found, outcome.is_ok()) {
                outcome = Err(error);
            }
            flatten::<K::X, _>(K::X::lanes(g), to);
        };
        method.derivative(scale, buffers, &mut evaluate);
        outcome
    }

    /// The value at `x`, and the gradient if it is requested.
    fn here(
        &mut self,
        inner: &I,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: Option<XLanesMut<'_, K, K::Real>>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        match g {
            Some(g) => inner.gradient(&mut self.space, call, x, g),
            None => inner.gradient(&mut self.space, call, x, K::X::lanes_mut(&mut self.g)),
        }
    }
}

impl<K: Primal, I: Backend<K>> Outer<K, I> for AutoFiniteDifferences {
    type Scratch = Scratch<K, I>;

    fn scratch(
        &self,
        inner: &I,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Scratch<K, I>, Error> {
        let (operator, count) = match plan.operator {
            Operator::SecondDerivative => (Operator::Derivative, K::Y::len(plan.y)),
            _ => (Operator::Gradient, K::X::len(plan.x)),
        };
        let first = Plan {
            operator,
            x: plan.x,
            y: plan.y,
            batch: 0,
            seeds: None,
            lasting: plan.lasting,
        };
        Ok(Scratch {
            space: Workspace::new(inner.scratch(&first, call, x)?, plan.x, plan.y),
            method: self.method(1)?,
            point: Point::new(plan.x),
            buffers: Buffers::new(count),
            g: K::X::store(plan.x, zero()),
            y: K::Y::store(plan.y, zero()),
            dy: K::Y::store(plan.y, zero()),
        })
    }

    fn second_derivative(
        &self,
        inner: &I,
        scratch: &mut Scratch<K, I>,
        call: Call<'_, K>,
        x: K::Real,
        y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
        ddy: YLanesMut<'_, K, K::Real>,
    ) -> Result<(), Error>
    where
        K: OfNumber,
    {
        let Scratch {
            space,
            method,
            buffers,
            y: there,
            dy: slope,
            ..
        } = scratch;
        let mut outcome = Ok(());
        let mut evaluate = |t: K::Real, to: &mut [K::Real]| {
            let slot = K::Kind::slot::<K::Y, K::Real>(there);
            let found = inner.derivative(space, call, x + t, slot, K::Y::lanes_mut(slope));
            if let (Err(error), true) = (found, outcome.is_ok()) {
                outcome = Err(error);
            }
            flatten::<K::Y, _>(K::Y::lanes(slope), to);
        };
        method.derivative(scale(x), buffers, &mut evaluate);
        outcome?;
        write::<K::Y, _>(&buffers.sum, ddy);
        inner.derivative(space, call, x, y, dy)
    }

    fn hvp(
        &self,
        inner: &I,
        scratch: &mut Scratch<K, I>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        g: Option<XLanesMut<'_, K, K::Real>>,
        products: &mut [XLanesMut<'_, K, K::Real>],
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let size = scale(size::<K>(x));
        for (dx, product) in dx.iter().zip(products) {
            let to = K::X::reborrow_lanes(product);
            let Some(speed) = speed::<K>(*dx) else {
                K::X::each_mut(to, &mut |v: &mut K::Real| *v = zero());
                continue;
            };
            let place = |point: &mut Point<K>, t| point.along(x, *dx, t);
            scratch.run(inner, size / speed.to_f64(), call, x, place)?;
            write::<K::X, _>(&scratch.buffers.sum, to);
        }
        scratch.here(inner, call, x, g)
    }

    fn hessian(
        &self,
        inner: &I,
        scratch: &mut Scratch<K, I>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: Option<XLanesMut<'_, K, K::Real>>,
        h: &mut Matrix<K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let n = h.nrows();
        for at in 0..n {
            scratch.point.load(x);
            let here = scratch.point.input(at);
            let place = |point: &mut Point<K>, t| point.set(at, here + t);
            scratch.run(inner, scale(here), call, x, place)?;
            for (row, v) in scratch.buffers.sum.iter().enumerate() {
                h[[row, at]] = *v;
            }
        }
        // Both halves are equally good: their mean.
        for i in 0..n {
            for j in 0..i {
                let mean = (h[[i, j]] + h[[j, i]]) * K::Real::from_f64(0.5);
                h[[i, j]] = mean;
                h[[j, i]] = mean;
            }
        }
        scratch.here(inner, call, x, g)
    }
}
