//! `AutoFiniteDiff`: differences of values. For any function, also one that cannot be differentiated.

mod first;
mod second;

use ndarray::Array2;

use crate::backend::Backend;
use crate::capability::{Capabilities, Mode, Operator};
use crate::error::Error;
use crate::function::{
    Call, NumberValued, OfNumber, Primal, Slot, XLanes, XLanesMut, XOwned, XRef, YLanesMut, YOwned,
};
use crate::primitive::{Plan, Space};
use crate::rules::zero;
use crate::scalar::Real;
use crate::value::Family;

use super::sweep::Values;

/// Which points differences are taken between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// `(f(x + h) - f(x - h)) / 2h`: error of order `h^2`, two evaluations.
    #[default]
    Central,
    /// `(f(x + h) - f(x)) / h`: error of order `h`, one evaluation beside the value.
    Forward,
}

/// Finite differences.
///
/// The step of an input `x` is `relative * |x|`, but never below the absolute step; an input whose
/// absolute value is below `1e-10` counts as one of size 1 unless an absolute step is given. The
/// relative step is the root of the float's precision that balances both errors, unless given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AutoFiniteDiff {
    scheme: Scheme,
    relative: Option<f64>,
    absolute: Option<f64>,
}

impl AutoFiniteDiff {
    /// Central differences.
    pub fn new() -> Self {
        AutoFiniteDiff::default()
    }

    /// Forward differences: half the evaluations, half the digits.
    pub fn forward(self) -> Self {
        AutoFiniteDiff {
            scheme: Scheme::Forward,
            ..self
        }
    }

    /// Sets the relative step.
    pub fn relative_step(self, relative: f64) -> Self {
        AutoFiniteDiff {
            relative: Some(relative),
            ..self
        }
    }

    /// Sets the smallest step.
    pub fn absolute_step(self, absolute: f64) -> Self {
        AutoFiniteDiff {
            absolute: Some(absolute),
            ..self
        }
    }

    /// Step for first derivatives by an input of this size.
    pub(crate) fn step<R: Real>(self, size: R) -> R {
        let root = match self.scheme {
            Scheme::Central => R::EPSILON.cbrt(),
            Scheme::Forward => R::EPSILON.sqrt(),
        };
        self.step_by(root, size)
    }

    /// Step for second derivatives by an input of this size.
    pub(crate) fn second_step<R: Real>(self, size: R) -> R {
        self.step_by(R::EPSILON.sqrt().sqrt(), size)
    }

    fn step_by<R: Real>(self, root: R, size: R) -> R {
        let relative = self.relative.map_or(root, R::from_f64);
        let size = size.abs();
        match self.absolute.map(R::from_f64) {
            Some(absolute) => (relative * size).max(absolute),
            None if size < R::from_f64(1e-10) => relative,
            None => relative * size,
        }
    }
}

impl Capabilities for AutoFiniteDiff {
    fn name(&self) -> &'static str {
        "AutoFiniteDiff"
    }
    fn mode(&self) -> Mode {
        Mode::Forward
    }
    /// Truncation and cancellation together, each times a hundred.
    fn accuracy(&self, operator: Operator) -> f64 {
        let order = match self.scheme {
            Scheme::Central => 2,
            Scheme::Forward => 1,
        };
        if operator.is_second_order() {
            let step = self.second_step(1.0_f64);
            100.0 * (step.powi(order) + f64::EPSILON / (step * step))
        } else {
            let step = self.step(1.0_f64);
            100.0 * (step.powi(order) + f64::EPSILON / step)
        }
    }
}

/// Scratch of differences: the point that is moved, and results at two points.
pub struct Scratch<K: Primal> {
    x: XOwned<K, K::Real>,
    ahead: YOwned<K, K::Real>,
    behind: YOwned<K, K::Real>,
    values: Values<K, K::Real>,
}

impl<K: Primal> Clone for Scratch<K> {
    fn clone(&self) -> Self {
        Scratch {
            x: self.x.clone(),
            ahead: self.ahead.clone(),
            behind: self.behind.clone(),
            values: self.values.clone(),
        }
    }
}

impl<K: Primal> Backend<K> for AutoFiniteDiff {
    type Scratch = Scratch<K>;
    type Matrix = Array2<K::Real>;
    const HAS_PUSHFORWARD: bool = true;
    const HAS_PULLBACK: bool = false;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        _x: XRef<'_, K, K::Real>,
    ) -> Result<Scratch<K>, Error> {
        Ok(Scratch {
            x: K::X::store(plan.x, zero()),
            ahead: K::Y::store(plan.y, zero()),
            behind: K::Y::store(plan.y, zero()),
            values: Values::new(plan.y, call),
        })
    }

    fn warms_up(&self, operator: Operator) -> bool {
        operator == Operator::Pullback
    }

    fn matrix(&self, _: &Scratch<K>, rows: usize, columns: usize) -> Array2<K::Real> {
        Array2::default((rows, columns))
    }

    fn pushforward(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        y: Slot<'_, K, K::Real>,
        dy: &mut [YLanesMut<'_, K, K::Real>],
    ) -> Result<(), Error> {
        first::pushforward(*self, &mut space.scratch, call, x, dx, y, dy);
        Ok(())
    }

    fn gradient(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: XLanesMut<'_, K, K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        Ok(first::gradient(*self, &mut space.scratch, call, x, g))
    }

    fn jacobian(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        y: Slot<'_, K, K::Real>,
        j: &mut Array2<K::Real>,
    ) -> Result<(), Error> {
        first::jacobian(*self, &mut space.scratch, call, x, y, j);
        Ok(())
    }

    fn second_derivative(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: K::Real,
        y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
        ddy: YLanesMut<'_, K, K::Real>,
    ) -> Result<(), Error>
    where
        K: OfNumber,
    {
        second::second_derivative(*self, &mut space.scratch, call, x, y, dy, ddy);
        Ok(())
    }

    fn hvp(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        g: Option<XLanesMut<'_, K, K::Real>>,
        products: &mut [XLanesMut<'_, K, K::Real>],
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        Ok(second::hvp(
            *self,
            &mut space.scratch,
            call,
            x,
            dx,
            g,
            products,
        ))
    }

    fn hessian(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: Option<XLanesMut<'_, K, K::Real>>,
        h: &mut Array2<K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        Ok(second::hessian(*self, &mut space.scratch, call, x, g, h))
    }
}
