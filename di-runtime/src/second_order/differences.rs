//! Differences of an inner engine's first derivatives.

use crate::backend::Backend;
use crate::backends::point::{Point, size, speed};
use crate::backends::{AutoFiniteDiff, Scheme};
use crate::capability::Operator;
use crate::error::Error;
use crate::function::{
    Call, Kind, NumberValued, OfNumber, Primal, Slot, XLanes, XLanesMut, XOwned, XRef, YLanesMut,
    YOwned,
};
use crate::matrix::Matrix;
use crate::primitive::{Plan, Space, Workspace};
use crate::rules::zero;
use crate::scalar::{Real, Scalar};
use crate::value::Family;

/// The inner engine's space, the point that is moved, and its derivatives at two points.
pub struct Scratch<K: Primal, I: Backend<K>> {
    space: Space<K, I>,
    point: Point<K>,
    ahead: XOwned<K, K::Real>,
    behind: XOwned<K, K::Real>,
    ahead_y: YOwned<K, K::Real>,
    behind_y: YOwned<K, K::Real>,
}

impl<K: Primal, I: Backend<K>> Clone for Scratch<K, I> {
    fn clone(&self) -> Self {
        Scratch {
            space: self.space.clone(),
            point: self.point.clone(),
            ahead: self.ahead.clone(),
            behind: self.behind.clone(),
            ahead_y: self.ahead_y.clone(),
            behind_y: self.behind_y.clone(),
        }
    }
}

impl<K: Primal, I: Backend<K>> Scratch<K, I> {
    pub(super) fn new(
        inner: &I,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Self, Error> {
        let first = Plan {
            operator: match plan.operator {
                Operator::SecondDerivative => Operator::Derivative,
                _ => Operator::Gradient,
            },
            x: plan.x,
            y: plan.y,
            batch: 0,
            seeds: None,
            lasting: plan.lasting,
        };
        Ok(Scratch {
            space: Workspace::new(inner.scratch(&first, call, x)?, plan.x, plan.y),
            point: Point::new(plan.x),
            ahead: K::X::store(plan.x, zero()),
            behind: K::X::store(plan.x, zero()),
            ahead_y: K::Y::store(plan.y, zero()),
            behind_y: K::Y::store(plan.y, zero()),
        })
    }

    /// The gradient where the point was moved to.
    fn gradient(
        &mut self,
        inner: &I,
        call: Call<'_, K>,
        like: XRef<'_, K, K::Real>,
        ahead: bool,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let g = if ahead {
            &mut self.ahead
        } else {
            &mut self.behind
        };
        let view = self.point.view(like);
        inner.gradient(&mut self.space, call, view, K::X::lanes_mut(g))
    }

    /// The value at `x`, and the gradient, which stays in `behind` for one-sided differences.
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
        self.point.load(x);
        let y = self.gradient(inner, call, x, false)?;
        if let Some(g) = g {
            let copy = &mut |to: &mut K::Real, v: K::Real| *to = v;
            K::X::zip(g, K::X::lanes(&self.behind), copy);
        }
        Ok(y)
    }

    #[allow(clippy::too_many_arguments, reason = "two engines and two results")]
    pub(super) fn hvp(
        &mut self,
        backend: AutoFiniteDiff,
        inner: &I,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        g: Option<XLanesMut<'_, K, K::Real>>,
        products: &mut [XLanesMut<'_, K, K::Real>],
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let y = self.here(inner, call, x, g)?;
        let (forth, back) = backend.steps(backend.scheme(), size::<K>(x));
        for (dx, product) in dx.iter().zip(products) {
            let mut to = K::X::reborrow_lanes(product);
            let Some(speed) = speed::<K>(*dx) else {
                K::X::each_mut(to, &mut |v: &mut K::Real| *v = zero());
                continue;
            };
            let (forth, back) = (forth / speed, back / speed);
            self.point.along(x, *dx, forth);
            self.gradient(inner, call, x, true)?;
            if backend.scheme() == Scheme::Central {
                self.point.along(x, *dx, back);
                self.gradient(inner, call, x, false)?;
            }
            let lanes = K::X::reborrow_lanes(&mut to);
            let copy = &mut |to: &mut K::Real, v: K::Real| *to = v;
            K::X::zip(lanes, K::X::lanes(&self.ahead), copy);
            let behind = K::X::lanes(&self.behind);
            let width = forth - back;
            K::X::zip(to, behind, &mut |to: &mut K::Real, v: K::Real| {
                *to = (*to - v) / width
            });
        }
        Ok(y)
    }

    pub(super) fn hessian(
        &mut self,
        backend: AutoFiniteDiff,
        inner: &I,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: Option<XLanesMut<'_, K, K::Real>>,
        h: &mut Matrix<K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let y = self.here(inner, call, x, g)?;
        let n = h.nrows();
        for at in 0..n {
            let here = self.point.input(at);
            let (forth, back) = backend.steps(backend.scheme(), here);
            let up = self.point.shift(at, forth);
            self.gradient(inner, call, x, true)?;
            self.point.set(at, here);
            let mut down = zero();
            if backend.scheme() == Scheme::Central {
                down = self.point.shift(at, back);
                self.gradient(inner, call, x, false)?;
                self.point.set(at, here);
            }
            let width = up - down;
            let mut row = 0;
            let ahead = K::X::lanes_mut(&mut self.ahead);
            K::X::zip(
                ahead,
                K::X::lanes(&self.behind),
                &mut |a: &mut K::Real, b: K::Real| {
                    h[[row, at]] = (*a - b) / width;
                    row += 1;
                },
            );
        }
        // Both halves are equally good: their mean.
        for i in 0..n {
            for j in 0..i {
                let mean = (h[[i, j]] + h[[j, i]]).mul_real(K::Real::from_f64(0.5));
                h[[i, j]] = mean;
                h[[j, i]] = mean;
            }
        }
        Ok(y)
    }

    #[allow(clippy::too_many_arguments, reason = "two engines and three results")]
    pub(super) fn second_derivative(
        &mut self,
        backend: AutoFiniteDiff,
        inner: &I,
        call: Call<'_, K>,
        x: K::Real,
        y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
        mut ddy: YLanesMut<'_, K, K::Real>,
    ) -> Result<(), Error>
    where
        K: OfNumber,
    {
        let (forth, back) = backend.steps(backend.scheme(), x);
        // with a step of zero on the other side, that is `x` itself
        let (up, down) = (x + forth, x + back);
        let mut y = y;
        for (x, to) in [(up, &mut self.ahead_y), (down, &mut self.behind_y)] {
            let slot = K::Kind::again::<K::Y, K::Real>(&mut y);
            inner.derivative(&mut self.space, call, x, slot, K::Y::lanes_mut(to))?;
        }
        let width = up - down;
        let copy = &mut |to: &mut K::Real, v: K::Real| *to = v;
        K::Y::zip(
            K::Y::reborrow_lanes(&mut ddy),
            K::Y::lanes(&self.ahead_y),
            copy,
        );
        let behind = K::Y::lanes(&self.behind_y);
        K::Y::zip(ddy, behind, &mut |to: &mut K::Real, v: K::Real| {
            *to = (*to - v) / width
        });
        inner.derivative(&mut self.space, call, x, y, dy)
    }
}
