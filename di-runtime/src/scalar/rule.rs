//! What a custom rule is, and how dual numbers call it.

use crate::scalar::{Dual, Real, Scalar};

/// A function `R^n -> R^m` on slices with its own derivatives.
///
/// `primal` is the function itself, on floats. The derivatives are generic over the scalar, so that
/// second order works through the rule's own code: write them in the scalar's methods, and call
/// whatever else is foreign through a rule of its own ([`Scalar::call_rule`]).
///
/// For functions of one variable there is the shorter [`UnaryRule`](crate::rules::UnaryRule).
///
/// # Examples
/// ```
/// use di_runtime::rules::{Rule, call};
/// use di_runtime::scalar::{Dual, Scalar};
///
/// /// Sum of squares.
/// struct SumSq(usize);
///
/// impl Rule<f64> for SumSq {
///     fn inputs(&self) -> usize {
///         self.0
///     }
///     fn outputs(&self) -> usize {
///         1
///     }
///     fn primal(&self, x: &[f64], y: &mut [f64]) {
///         y[0] = x.iter().map(|x| x * x).sum();
///     }
///     fn pushforward<S: Scalar<Real = f64>>(&self, x: &[S], _y: &[S], dx: &[S], dy: &mut [S]) {
///         dy[0] = S::default();
///         for (x, dx) in x.iter().zip(dx) {
///             dy[0] = dy[0] + (*x * *dx).mul_real(2.0);
///         }
///     }
///     fn pullback<S: Scalar<Real = f64>>(&self, x: &[S], _y: &[S], yb: &[S], xb: &mut [S]) {
///         for (x, xb) in x.iter().zip(xb) {
///             *xb = *xb + (*x * yb[0]).mul_real(2.0);
///         }
///     }
/// }
///
/// let x = [Dual::<f64, 1>::variable(3.0, 0), Dual::constant(4.0)];
/// let [y] = call(&SumSq(2), &x);
/// assert_eq!((y.value, y.tangents), (25.0, [6.0]));
/// ```
pub trait Rule<R: Real> {
    /// Length of `x`.
    fn inputs(&self) -> usize;

    /// Length of `y`.
    fn outputs(&self) -> usize;

    /// `y = f(x)`; `y` is dirty on entry.
    fn primal(&self, x: &[R], y: &mut [R]);

    /// `dy = J(x) dx` where `y = f(x)`; `dy` is dirty on entry.
    fn pushforward<S: Scalar<Real = R>>(&self, x: &[S], y: &[S], dx: &[S], dy: &mut [S]);

    /// `xb += J(x)^T yb` where `y = f(x)`.
    fn pullback<S: Scalar<Real = R>>(&self, x: &[S], y: &[S], yb: &[S], xb: &mut [S]);

    /// May output `i` depend on input `j`? Everything on everything unless said otherwise.
    fn depends(&self, i: usize, j: usize) -> bool {
        let _ = (i, j);
        true
    }
}

/// A rule on dual numbers: the value through the scalar of the values, each direction through the
/// rule's pushforward.
///
/// # Panics
/// If `x` or `y` has not the length that the rule says.
#[inline]
pub(super) fn call_on_duals<S: Scalar, const K: usize>(
    rule: &impl Rule<S::Real>,
    x: &[Dual<S, K>],
    y: &mut [Dual<S, K>],
) {
    check_lengths(rule, x.len(), y.len());
    let (n, m) = (x.len(), y.len());
    with_scratch(2 * (n + m), |scratch: &mut [S]| {
        let (values, directions) = scratch.split_at_mut(n + m);
        let (xs, ys) = values.split_at_mut(n);
        let (dx, dy) = directions.split_at_mut(n);
        for (value, x) in xs.iter_mut().zip(x) {
            *value = x.value;
        }
        S::call_rule(rule, xs, ys);
        for (y, value) in y.iter_mut().zip(ys.iter()) {
            y.value = *value;
        }
        for k in 0..K {
            for (dx, x) in dx.iter_mut().zip(x) {
                *dx = x.tangents[k];
            }
            rule.pushforward(xs, ys, dx, dy);
            for (y, dy) in y.iter_mut().zip(dy.iter()) {
                y.tangents[k] = *dy;
            }
        }
    });
}

/// Scalars that a small rule needs beside its arguments, on the stack.
const SMALL: usize = 16;

/// Runs `body` on `n` scalars of scratch, dirty; on the heap only if they are many.
#[inline]
pub(crate) fn with_scratch<S: Scalar>(n: usize, body: impl FnOnce(&mut [S])) {
    if n <= SMALL {
        body(&mut [S::default(); SMALL][..n]);
    } else {
        body(&mut vec![S::default(); n]);
    }
}

/// What a rule's length says of a call's.
///
/// # Panics
/// If they differ.
#[inline]
pub(crate) fn check_lengths<R: Real>(rule: &impl Rule<R>, n: usize, m: usize) {
    assert!(
        n == rule.inputs() && m == rule.outputs(),
        "a rule from {} to {} numbers was called with {n} and {m}",
        rule.inputs(),
        rule.outputs(),
    );
}
