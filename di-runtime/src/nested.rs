//! Derivatives inside functions on any scalar: the result is a number that is differentiated further.
//!
//! Each level has a scalar of its own, `Dual<S, _>` over the scalar `S` outside, so that tangents of different levels
//! cannot be mixed up (perturbation confusion: Siskind and Pearlmutter, 2005): an outer variable must be lifted with
//! [`constant`] before it is combined with an inner one, otherwise the program does not compile.
//!
//! # Examples
//! ```
//! use di::prelude::*;
//! use di::{Scalar, nested};
//!
//! // d/dx (x d/dy (x + y)) = 1
//! #[generic]
//! fn f<S: Scalar<Real = f64>>(x: S) -> S {
//!     x * nested::derivative(|y| nested::constant(x) + y, S::from_real(3.0))
//! }
//!
//! assert_eq!(derivative(f::AD, NoPrep, &AutoDual::new(), &5.0)?, 1.0);
//! # Ok::<(), di::Error>(())
//! ```

use crate::scalar::{Dual, Scalar};

/// Directions of [`gradient`] at once.
pub const WIDTH: usize = 4;

/// Lifts a number of the outer level; it has no tangents of this level.
pub fn constant<S: Scalar, const W: usize>(x: S) -> Dual<S, W> {
    Dual::constant(x)
}

/// Derivative of a function of one number. Cost: one evaluation with a tangent.
pub fn derivative<S: Scalar>(f: impl FnOnce(Dual<S, 1>) -> Dual<S, 1>, x: S) -> S {
    value_and_derivative(f, x).1
}

/// [`derivative`], and the value at no extra cost.
pub fn value_and_derivative<S: Scalar>(f: impl FnOnce(Dual<S, 1>) -> Dual<S, 1>, x: S) -> (S, S) {
    let y = f(Dual::variable(x, 0));
    (y.value, y.tangents[0])
}

/// Gradient of a function of `n` numbers. Cost: `ceil(n / 4)` evaluations with four tangents.
pub fn gradient<S: Scalar>(f: impl FnMut(&[Dual<S, WIDTH>]) -> Dual<S, WIDTH>, x: &[S]) -> Vec<S> {
    let mut g = vec![S::default(); x.len()];
    gradient_into(f, &mut g, x);
    g
}

/// [`gradient`], written to `g`; returns the value.
///
/// # Panics
/// If `g` and `x` differ in length.
pub fn gradient_into<S: Scalar>(
    mut f: impl FnMut(&[Dual<S, WIDTH>]) -> Dual<S, WIDTH>,
    g: &mut [S],
    x: &[S],
) -> S {
    assert_eq!(g.len(), x.len(), "a gradient is as long as its point");
    let mut lifted: Vec<Dual<S, WIDTH>> = x.iter().map(|x| constant(*x)).collect();
    if x.is_empty() {
        return f(&lifted).value;
    }
    let mut value = S::default();
    for (at, g) in g.chunks_mut(WIDTH).enumerate() {
        let at = at * WIDTH;
        for k in 0..g.len() {
            lifted[at + k] = Dual::variable(x[at + k], k);
        }
        let y = f(&lifted);
        for (k, g) in g.iter_mut().enumerate() {
            lifted[at + k] = constant(x[at + k]);
            *g = y.tangents[k];
        }
        value = y.value;
    }
    value
}
