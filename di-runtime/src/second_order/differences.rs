//! Differences of an inner engine's first derivatives.

use ndarray::Array2;

use crate::backend::Backend;
use crate::backends::AutoFiniteDiff;
use crate::capability::Operator;
use crate::error::Error;
use crate::function::{
    Call, NumberValued, OfNumber, Primal, Slot, XLanes, XLanesMut, XOwned, XRef, YLanesMut, YOwned,
};
use crate::primitive::{Plan, Space, Work};
use crate::rules::zero;
use crate::scalar::{Real, Scalar};
use crate::value::Family;

/// The inner engine's space, the point that is moved, and its derivatives at two points.
pub struct Scratch<K: Primal, I: Backend<K>> {
    space: Space<K, I>,
    x: XOwned<K, K::Real>,
    ahead: XOwned<K, K::Real>,
    behind: XOwned<K, K::Real>,
    ahead_y: YOwned<K, K::Real>,
    behind_y: YOwned<K, K::Real>,
}

impl<K: Primal, I: Backend<K>> Clone for Scratch<K, I> {
    fn clone(&self) -> Self {
        Scratch {
            space: self.space.clone(),
            x: self.x.clone(),
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
            lasting: plan.lasting,
        };
        Ok(Scratch {
            space: Space {
                scratch: inner.scratch(&first, call, x)?,
                work: Work::default(),
                x: plan.x.clone(),
                y: plan.y.clone(),
                same_point: false,
            },
            x: K::X::store(plan.x, zero()),
            ahead: K::X::store(plan.x, zero()),
            behind: K::X::store(plan.x, zero()),
            ahead_y: K::Y::store(plan.y, zero()),
            behind_y: K::Y::store(plan.y, zero()),
        })
    }

    fn load(&mut self, x: XRef<'_, K, K::Real>) {
        K::X::zip_values(
            K::X::lanes_mut(&mut self.x),
            x,
            &mut |to: &mut K::Real, v| *to = v,
        );
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
        let view = K::X::get(&self.x, K::X::shorten::<K::Real>(like));
        let g = if ahead {
            &mut self.ahead
        } else {
            &mut self.behind
        };
        inner.gradient(&mut self.space, call, view, K::X::lanes_mut(g))
    }

    #[allow(clippy::too_many_arguments, reason = "two engines and two results")]
    pub(super) fn hvp(
        &mut self,
        steps: AutoFiniteDiff,
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
        let mut size = zero::<K::Real>();
        K::X::values(x, &mut |v: K::Real| size = size.max(v.abs()));
        for (dx, product) in dx.iter().zip(products) {
            let mut speed = zero::<K::Real>();
            K::X::each(*dx, &mut |v: K::Real| speed = speed.max(v.abs()));
            let mut to = K::X::reborrow_lanes(product);
            if Real::to_f64(speed) == 0.0 {
                K::X::each_mut(to, &mut |v: &mut K::Real| *v = zero());
                continue;
            }
            let step = steps.step(size) / speed;
            for ahead in [true, false] {
                let by = if ahead { step } else { -step };
                self.load(x);
                let lanes = K::X::lanes_mut(&mut self.x);
                K::X::zip(lanes, *dx, &mut |x: &mut K::Real, v: K::Real| {
                    *x = *x + by * v
                });
                self.gradient(inner, call, x, ahead)?;
            }
            let lanes = K::X::reborrow_lanes(&mut to);
            let copy = &mut |to: &mut K::Real, v: K::Real| *to = v;
            K::X::zip(lanes, K::X::lanes(&self.ahead), copy);
            let behind = K::X::lanes(&self.behind);
            let width = step + step;
            K::X::zip(to, behind, &mut |to: &mut K::Real, v: K::Real| {
                *to = (*to - v) / width
            });
        }
        self.here(inner, call, x, g)
    }

    pub(super) fn hessian(
        &mut self,
        steps: AutoFiniteDiff,
        inner: &I,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: Option<XLanesMut<'_, K, K::Real>>,
        h: &mut Array2<K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        self.load(x);
        let n = h.nrows();
        for at in 0..n {
            let here = *K::X::entry(K::X::lanes_mut(&mut self.x), at);
            let step = steps.step(here);
            let (up, down) = (here + step, here - step);
            *K::X::entry(K::X::lanes_mut(&mut self.x), at) = up;
            self.gradient(inner, call, x, true)?;
            *K::X::entry(K::X::lanes_mut(&mut self.x), at) = down;
            self.gradient(inner, call, x, false)?;
            *K::X::entry(K::X::lanes_mut(&mut self.x), at) = here;
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
        self.here(inner, call, x, g)
    }

    /// The value at `x`, and the gradient if it is asked for.
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
            None => {
                self.load(x);
                self.gradient(inner, call, x, true)
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "two engines and three results")]
    pub(super) fn second_derivative(
        &mut self,
        steps: AutoFiniteDiff,
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
        use crate::function::Kind;
        let step = steps.step(x);
        let (up, down) = (x + step, x - step);
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
