//! Rules for functions of one variable, in a few lines.

use crate::rules::{Rule, call};
use crate::scalar::{Lanes, Real, Scalar};

/// A function `R -> R` with its derivative. [`Unary`] makes a [`Rule`] of it.
///
/// # Examples
/// ```
/// use di_runtime::rules::{Unary, UnaryRule};
/// use di_runtime::scalar::{Dual, Scalar};
///
/// /// The logistic function, from a library that knows nothing of us.
/// struct Logistic;
///
/// impl UnaryRule<f64> for Logistic {
///     fn primal(&self, x: f64) -> f64 {
///         1.0 / (1.0 + (-x).exp())
///     }
///     fn derivative<S: Scalar<Real = f64>>(&self, _x: S, y: S) -> S {
///         y * S::real_sub(1.0, y)
///     }
/// }
///
/// let x = Dual::<f64, 1>::variable(-800.0, 0);
/// assert_eq!(Unary(Logistic).call(x).tangents, [0.0]);
/// ```
pub trait UnaryRule<R: Real> {
    /// `y = f(x)`
    fn primal(&self, x: R) -> R;

    /// `f'(x)`, where `y = f(x)`.
    fn derivative<S: Scalar<Real = R>>(&self, x: S, y: S) -> S;
}

/// A [`UnaryRule`] as a [`Rule`].
#[derive(Clone, Copy, Debug)]
pub struct Unary<F>(pub F);

impl<F> Unary<F> {
    /// The function at `x`, under any engine.
    #[inline]
    pub fn call<S: Scalar>(&self, x: S) -> S
    where
        F: UnaryRule<S::Real>,
    {
        call(self, [x])
    }
}

impl<R: Real, F: UnaryRule<R>> Rule<R, 1, 1> for Unary<F> {
    #[inline]
    fn primal(&self, [x]: [&[R]; 1], [y]: [&mut [R]; 1]) {
        y[0] = self.0.primal(x[0]);
    }

    #[inline]
    fn pushforward<S: Scalar<Real = R>, T: Lanes<S>>(
        &self,
        [x]: [&[S]; 1],
        [y]: [&[S]; 1],
        [dx]: [&[T]; 1],
        [dy]: [&mut [T]; 1],
    ) {
        dy[0] = dx[0].scale(self.0.derivative(x[0], y[0]));
    }

    #[inline]
    fn pullback<S: Scalar<Real = R>, A: Lanes<S>>(
        &self,
        [x]: [&[S]; 1],
        [y]: [&[S]; 1],
        [yb]: [&[A]; 1],
        [xb]: [&mut [A]; 1],
    ) {
        xb[0].acc(yb[0].scale(self.0.derivative(x[0], y[0])));
    }
}

/// A function of one variable given as its value and derivatives, plain functions on floats:
/// `[f, f', f'', ..]`. Derivatives of higher order than given are NaN.
///
/// # Examples
/// ```
/// use di_runtime::rules::{Derivatives, Unary};
/// use di_runtime::scalar::Dual;
///
/// let cube = Unary(Derivatives::new(&[|x: f64| x.powi(3), |x| 3.0 * x * x, |x| 6.0 * x]));
/// let x = Dual::<f64, 1>::variable(2.0, 0);
/// let y = cube.call(Dual::<_, 1>::variable(x, 0));
/// assert_eq!(y.value.value, 8.0);
/// assert_eq!(y.tangents[0].value, 12.0);
/// assert_eq!(y.tangents[0].tangents[0], 12.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Derivatives<'f, R> {
    functions: &'f [fn(R) -> R],
}

impl<'f, R: Real> Derivatives<'f, R> {
    /// From the value and as many derivatives as are needed.
    pub fn new(functions: &'f [fn(R) -> R]) -> Self {
        Derivatives { functions }
    }
}

impl<R: Real> UnaryRule<R> for Derivatives<'_, R> {
    fn primal(&self, x: R) -> R {
        self.functions.first().map_or(R::NAN, |f| f(x))
    }

    fn derivative<S: Scalar<Real = R>>(&self, x: S, _y: S) -> S {
        let functions = self.functions.get(1..).unwrap_or_default();
        Unary(Derivatives { functions }).call(x)
    }
}
