//! `AutoFiniteDiff`: differences of values. For any function, even if it cannot be differentiated by other means.

mod first;
mod second;

use crate::backend::Backend;
use crate::capability::{Capabilities, Mode, Operator};
use crate::error::Error;
use crate::function::{Call, Primal, XRef, YOwned};
use crate::matrix::Matrix;
use crate::primitive::Plan;
use crate::rules::zero;
use crate::scalar::Real;
use crate::value::Family;

use super::AutoComplexStep;
use super::methods::methods;
use super::point::Point;
use super::sweep::Values;
use first::{gradient, gradient_alone, jacobian, pushforward};
use second::{hessian, hvp, second_derivative};

/// Which points differences are taken between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// `(f(x + h) - f(x - h)) / 2h`: error of order `h^2`, two evaluations.
    #[default]
    Central,
    /// `(f(x + h) - f(x)) / h`: error of order `h`, one evaluation beside the value.
    Forward,
    /// `(f(x) - f(x - h)) / h`: the same on the other side, where `f` is not defined above `x`.
    Backward,
}

/// Finite differences.
///
/// Pushforwards, derivatives and gradients use one scheme, Jacobians another, and second order a third. By default, all
/// of them are central.
///
/// The step of an input `x` is `relative * |x|`, but at least the absolute step. By default, the absolute step equals
/// the relative one, so that an input below one counts as one, as in FiniteDiff.jl. If inputs are small, or if the
/// domain of the function ends nearby, set an absolute step. A negative step, of either kind, goes the other way. The
/// default relative step is the root of the float's precision that balances truncation and rounding (W. Press and
/// others, Numerical Recipes, 2007, section 5.7): the third for central first differences, the second for one-sided
/// ones, the fourth and the third for second differences.
///
/// # Examples
/// ```
/// use di_runtime::backends::{AutoFiniteDiff, Scheme};
/// use di_runtime::{closure::closure, operators::derivative, prep::NoPrep};
///
/// // not defined beyond 1
/// let f = closure(|x: f64| if x <= 1.0 { x * x } else { f64::NAN });
/// let slope = derivative(&f, NoPrep, &AutoFiniteDiff::new().backward(), &1.0)?;
/// assert!((slope - 2.0).abs() < 1e-7);
///
/// let backend = AutoFiniteDiff::new().jacobian_scheme(Scheme::Forward).absolute_step(1e-6);
/// assert_eq!(backend.scheme(), Scheme::Central);
/// # Ok::<(), di_runtime::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AutoFiniteDiff {
    scheme: Scheme,
    jacobian: Option<Scheme>,
    hessian: Scheme,
    relative: Option<f64>,
    absolute: Option<f64>,
}

impl AutoFiniteDiff {
    /// Central differences.
    pub fn new() -> Self {
        AutoFiniteDiff::default()
    }

    /// Forward differences for first order: half the evaluations, half the digits.
    pub fn forward(self) -> Self {
        self.with_scheme(Scheme::Forward)
    }

    /// Backward differences for first order: forward differences in the other direction.
    pub fn backward(self) -> Self {
        self.with_scheme(Scheme::Backward)
    }

    /// The scheme of first order.
    pub fn with_scheme(self, scheme: Scheme) -> Self {
        AutoFiniteDiff { scheme, ..self }
    }

    /// The scheme of Jacobians, if it differs from that of first order.
    pub fn jacobian_scheme(self, scheme: Scheme) -> Self {
        AutoFiniteDiff {
            jacobian: Some(scheme),
            ..self
        }
    }

    /// The scheme of second derivatives, Hessians and products with them.
    pub fn hessian_scheme(self, scheme: Scheme) -> Self {
        AutoFiniteDiff {
            hessian: scheme,
            ..self
        }
    }

    /// The scheme of first order.
    pub fn scheme(self) -> Scheme {
        self.scheme
    }

    /// Complex steps, which lose no digits to subtraction, for functions over any scalar.
    pub fn complex_step(self) -> AutoComplexStep {
        AutoComplexStep::new()
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

    /// How far first differences of this scheme go from an input of this size: ahead, and behind.
    pub(crate) fn steps<R: Real>(self, scheme: Scheme, size: R) -> (R, R) {
        match scheme {
            Scheme::Central => {
                let step = self.step_by(R::EPSILON.cbrt(), size);
                (step, -step)
            }
            Scheme::Forward => (self.step_by(R::EPSILON.sqrt(), size), zero()),
            Scheme::Backward => (-self.step_by(R::EPSILON.sqrt(), size), zero()),
        }
    }

    /// Step of second differences from an input of this size; negative for backward ones.
    pub(crate) fn second_step<R: Real>(self, size: R) -> R {
        match self.hessian {
            Scheme::Central => self.step_by(R::EPSILON.sqrt().sqrt(), size),
            Scheme::Forward => self.step_by(R::EPSILON.cbrt(), size),
            Scheme::Backward => -self.step_by(R::EPSILON.cbrt(), size),
        }
    }

    fn step_by<R: Real>(self, root: R, size: R) -> R {
        let relative = self.relative.map_or(root, R::from_f64);
        let absolute = self.absolute.map_or(relative, R::from_f64);
        let step = (relative * size).abs().max(absolute.abs());
        let zero = zero::<R>();
        if relative < zero || absolute < zero {
            -step
        } else {
            step
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
        let order = |scheme| if scheme == Scheme::Central { 2 } else { 1 };
        if operator.is_second_order() {
            let step = self.second_step(1.0_f64).abs();
            return 100.0 * (step.powi(order(self.hessian)) + f64::EPSILON / (step * step));
        }
        let scheme = match (operator, self.jacobian) {
            (Operator::Jacobian, Some(scheme)) => scheme,
            _ => self.scheme,
        };
        let step = self.steps(scheme, 1.0_f64).0.abs();
        100.0 * (step.powi(order(scheme)) + f64::EPSILON / step)
    }
}

/// Scratch of differences: the point that is moved, and results at two points.
pub struct Scratch<K: Primal> {
    point: Point<K>,
    ahead: YOwned<K, K::Real>,
    behind: YOwned<K, K::Real>,
    values: Values<K, K::Real>,
    /// Values at points where one input was moved, for one-sided Hessians.
    moved: Vec<K::Real>,
}

impl<K: Primal> Clone for Scratch<K> {
    fn clone(&self) -> Self {
        Scratch {
            point: self.point.clone(),
            ahead: self.ahead.clone(),
            behind: self.behind.clone(),
            values: self.values.clone(),
            moved: self.moved.clone(),
        }
    }
}

/// The function of the operator's name.
macro_rules! run {
    ($self:ident, $space:ident, $operator:ident, $($arg:ident),*) => {
        Ok($operator(*$self, &mut $space.scratch, $($arg),*))
    };
}

impl<K: Primal> Backend<K> for AutoFiniteDiff {
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
        let one_sided = plan.operator == Operator::Hessian && self.hessian != Scheme::Central;
        let moved = if one_sided { K::X::len(plan.x) } else { 0 };
        Ok(Scratch {
            point: Point::new(plan.x),
            ahead: K::Y::store(plan.y, zero()),
            behind: K::Y::store(plan.y, zero()),
            values: Values::new(plan.y, call.form()),
            moved: vec![zero(); moved],
        })
    }

    fn warms_up(&self, operator: Operator) -> bool {
        operator == Operator::Pullback
    }

    methods!(run: matrix pushforward gradient gradient_alone jacobian second_derivative hvp hessian);
}
