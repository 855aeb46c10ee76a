//! `AutoFiniteDifferences`: formulas of high order with an adaptive step and an estimate of the error.

mod outer;
mod run;
mod stencil;

use crate::backend::Backend;
use crate::capability::{Capabilities, Mode, Operator};
use crate::error::Error;
use crate::function::{
    Call, NumberValued, OfNumber, Primal, Slot, XLanes, XLanesMut, XRef, YLanesMut,
};
use crate::matrix::Matrix;
use crate::prep::Prep;
use crate::primitive::{Plan, Space};
use crate::scalar::Real;

use super::finite_diff::Scheme;
use super::methods::methods;
use run::Line;
use stencil::Method;
pub use stencil::Stencil;

/// Differences of high order: any number of points, a step chosen by an estimate of the derivative that the
/// truncation error depends on, and an estimate of the error.
///
/// For each direction the step balances rounding, `eps |f| sum |w| / h^q`, and truncation,
/// `|f^(s)| h^(s - q)`; `f^(s)` comes from a formula of its own, whose step is chosen in the same way.
/// Points at which the function is not finite make the step smaller. A direction costs as many
/// evaluations as there are points in both formulas. (As the `adapt` of FiniteDifferences.jl; weights by
/// B. Fornberg, 1988.)
///
/// Second derivatives are formulas of second order along lines; mixed ones come by polarisation,
/// `v'Hw = ((v + w)'H(v + w) - (v - w)'H(v - w)) / 4`.
///
/// # Examples
/// ```
/// use di_runtime::backends::AutoFiniteDifferences;
/// use di_runtime::closure::closure;
/// use di_runtime::operators::{gradient, prepare_gradient};
///
/// let f = closure(|x: &[f64]| x[0].exp() * x[1].sin());
/// let (x, backend) = ([1.0, 0.5], AutoFiniteDifferences::central(7));
/// let prep = prepare_gradient(&f, &backend, &x)?;
/// let g = gradient(&f, &prep, &backend, &x)?;
/// let error = (g[1] - 1.0_f64.exp() * 0.5_f64.cos()).abs();
/// assert!(error < 1e-12 && error < prep.error_estimate()?);
/// # Ok::<(), di_runtime::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutoFiniteDifferences {
    scheme: Scheme,
    points: usize,
    adapt: usize,
    condition: f64,
    factor: f64,
    max_range: f64,
}

impl Default for AutoFiniteDifferences {
    fn default() -> Self {
        AutoFiniteDifferences::central(5)
    }
}

impl AutoFiniteDifferences {
    fn new(scheme: Scheme, points: usize) -> Self {
        AutoFiniteDifferences {
            scheme,
            points,
            adapt: 1,
            condition: 10.0,
            factor: 1.0,
            max_range: f64::INFINITY,
        }
    }

    /// This number of points around `x`: odd (an even number is raised), and at least 3 for first
    /// derivatives. Preparation refuses fewer.
    pub fn central(points: usize) -> Self {
        AutoFiniteDifferences::new(Scheme::Central, points)
    }

    /// This number of points from `x` upwards.
    pub fn forward(points: usize) -> Self {
        AutoFiniteDifferences::new(Scheme::Forward, points)
    }

    /// This number of points from `x` downwards.
    pub fn backward(points: usize) -> Self {
        AutoFiniteDifferences::new(Scheme::Backward, points)
    }

    /// How often the derivative behind the step is itself estimated with an adaptive step: 1 by default. With 0 it is
    /// guessed, see [`AutoFiniteDifferences::condition`].
    pub fn adapt(self, levels: usize) -> Self {
        AutoFiniteDifferences {
            adapt: levels,
            ..self
        }
    }

    /// Sets the guess at the innermost level: the ratio of derivatives to the value, in units of the input's size. 10
    /// by default.
    pub fn condition(self, condition: f64) -> Self {
        AutoFiniteDifferences { condition, ..self }
    }

    /// The factor by which the error of the function's values exceeds rounding: 1 by default.
    pub fn factor(self, factor: f64) -> Self {
        AutoFiniteDifferences { factor, ..self }
    }

    /// The largest distance from `x` at which the function may be evaluated.
    pub fn max_range(self, distance: f64) -> Self {
        AutoFiniteDifferences {
            max_range: distance,
            ..self
        }
    }

    /// The formula for the derivative of this order.
    ///
    /// # Errors
    /// [`Error::Stencil`] if there are too few points.
    pub fn stencil(self, order: usize) -> Result<Stencil, Error> {
        // a central formula of even order gains nothing from fewer points than the next odd one
        Stencil::new(
            &self.grid(self.points.max(order + usize::from(order > 1))),
            order,
        )
    }

    fn grid(self, points: usize) -> Vec<f64> {
        match self.scheme {
            Scheme::Central => {
                let half = (points / 2) as i32;
                (-half..=half).map(f64::from).collect()
            }
            Scheme::Forward => (0..points).map(|k| k as f64).collect(),
            Scheme::Backward => (0..points).map(|k| -(k as f64)).collect(),
        }
    }

    /// The formula, with formulas that estimate what its step depends on.
    fn method(self, order: usize) -> Result<Method, Error> {
        let with_bound = |stencil: Stencil, bound| {
            Method::new(stencil, bound, self.condition, self.factor, self.max_range)
        };
        let mut stencils = vec![self.stencil(order)?];
        for _ in 0..self.adapt {
            let innermost = with_bound(stencils[stencils.len() - 1].clone(), None);
            let order = innermost.truncates_at();
            stencils.push(Stencil::new(&self.grid(order + 2), order)?);
        }
        let mut method = None;
        while let Some(stencil) = stencils.pop() {
            method = Some(with_bound(stencil, method));
        }
        method.ok_or(Error::Stencil {
            points: self.points,
            least: order + 1,
        })
    }
}

impl Capabilities for AutoFiniteDifferences {
    fn name(&self) -> &'static str {
        "AutoFiniteDifferences"
    }
    fn mode(&self) -> Mode {
        Mode::Forward
    }
    /// What rounding leaves at the best step, times a thousand; never as good as engines that only round.
    fn accuracy(&self, operator: Operator) -> f64 {
        let order = if operator.is_second_order() { 2 } else { 1 };
        let Ok(stencil) = self.stencil(order) else {
            return f64::INFINITY;
        };
        let kept = stencil.accuracy() as f64 / (stencil.accuracy() + order) as f64;
        (1e3 * f64::EPSILON.powf(kept)).max(2e-10)
    }
}

/// Scratch of differences along lines, and the estimated error of the last call.
pub struct Scratch<K: Primal> {
    first: Method,
    second: Option<Method>,
    line: Line<K>,
    error: f64,
}

impl<K: Primal> Clone for Scratch<K> {
    fn clone(&self) -> Self {
        Scratch {
            first: self.first.clone(),
            second: self.second.clone(),
            line: self.line.clone(),
            error: self.error,
        }
    }
}

impl<O, K: Primal> Prep<O, K, AutoFiniteDifferences> {
    /// The largest estimated error of an entry that the last call with this prep computed: rounding and
    /// truncation at the step that was used. NaN before the first call,
    /// and after one that panicked.
    ///
    /// It assumes that the function changes only over distances comparable to the range of the step. Close to a kink
    /// or a singularity, or if the function oscillates between the points, the estimate is far too small; a smaller
    /// [`AutoFiniteDifferences::max_range`] helps.
    ///
    /// # Errors
    /// [`Error::InUse`] if it is called by the function that is being differentiated.
    pub fn error_estimate(&self) -> Result<f64, Error>
    where
        O: crate::prep::Op,
    {
        self.look(|scratch| scratch.error)
    }
}

/// Message of an invariant: `scratch` makes what its operator uses.
const MADE: &str = "scratch is made for its operator";

impl<K: Primal> Backend<K> for AutoFiniteDifferences {
    type Scratch = Scratch<K>;
    type Matrix = Matrix<K::Real>;
    const HAS_PUSHFORWARD: bool = true;
    const HAS_PULLBACK: bool = false;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        _x: XRef<'_, K, K::Real>,
    ) -> Result<Scratch<K>, Error> {
        let second_order = matches!(
            plan.operator,
            Operator::SecondDerivative | Operator::Hvp | Operator::Hessian
        );
        Ok(Scratch {
            first: self.method(1)?,
            second: if second_order {
                Some(self.method(2)?)
            } else {
                None
            },
            line: Line::new(plan, call),
            error: f64::NAN,
        })
    }

    fn warms_up(&self, operator: Operator) -> bool {
        operator == Operator::Pullback
    }

    methods!(none: matrix);

    fn pushforward(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        y: Slot<'_, K, K::Real>,
        dy: &mut [YLanesMut<'_, K, K::Real>],
    ) -> Result<(), Error> {
        let Scratch {
            first, line, error, ..
        } = &mut space.scratch;
        *error = f64::NAN;
        let mut largest = 0.0;
        for (dx, dy) in dx.iter().zip(dy) {
            largest = line.along(first, call, x, *dx).max(largest);
            line.write(dy);
        }
        line.value(call, x, y);
        *error = largest;
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
        let Scratch {
            first, line, error, ..
        } = &mut space.scratch;
        *error = f64::NAN;
        let largest = line.gradient(first, call, x, g);
        let mut y = K::Real::default();
        line.value(call, x, &mut y);
        *error = largest;
        Ok(y)
    }

    fn jacobian(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        y: Slot<'_, K, K::Real>,
        j: &mut Matrix<K::Real>,
    ) -> Result<(), Error> {
        let Scratch {
            first, line, error, ..
        } = &mut space.scratch;
        *error = f64::NAN;
        let mut largest = 0.0;
        for at in 0..j.ncols() {
            largest = line.by_input(first, call, x, at).max(largest);
            // A result of another length is noticed by the operator.
            for (row, v) in line.result().iter().enumerate().take(j.nrows()) {
                j[[row, at]] = *v;
            }
        }
        line.value(call, x, y);
        *error = largest;
        Ok(())
    }

    fn second_derivative(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: K::Real,
        y: Slot<'_, K, K::Real>,
        mut dy: YLanesMut<'_, K, K::Real>,
        mut ddy: YLanesMut<'_, K, K::Real>,
    ) -> Result<(), Error>
    where
        K: OfNumber,
    {
        let Scratch {
            first,
            second,
            line,
            error,
        } = &mut space.scratch;
        *error = f64::NAN;
        let of_first = line.by_input(first, call, x, 0);
        line.write(&mut dy);
        let of_second = line.by_input(second.as_ref().expect(MADE), call, x, 0);
        line.write(&mut ddy);
        line.value(call, x, y);
        *error = of_second.max(of_first);
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
        let Scratch {
            first,
            second,
            line,
            error,
        } = &mut space.scratch;
        let second = second.as_ref().expect(MADE);
        *error = f64::NAN;
        let mut largest = 0.0;
        for (dx, product) in dx.iter().zip(products) {
            largest = line.hvp(second, call, x, *dx, product).max(largest);
        }
        if let Some(g) = g {
            largest = line.gradient(first, call, x, g).max(largest);
        }
        let mut y = K::Real::default();
        line.value(call, x, &mut y);
        *error = largest;
        Ok(y)
    }

    fn hessian(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: Option<XLanesMut<'_, K, K::Real>>,
        h: &mut Matrix<K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let Scratch {
            first,
            second,
            line,
            error,
        } = &mut space.scratch;
        *error = f64::NAN;
        let mut largest = line.hessian(second.as_ref().expect(MADE), call, x, h);
        if let Some(g) = g {
            largest = line.gradient(first, call, x, g).max(largest);
        }
        let mut y = K::Real::default();
        line.value(call, x, &mut y);
        *error = largest;
        Ok(y)
    }
}

/// The size of an input, as a distance over which a function may change.
fn scale<R: Real>(size: R) -> f64 {
    size.to_f64().abs().max(1.0)
}
