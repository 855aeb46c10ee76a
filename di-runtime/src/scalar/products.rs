//! Tangents and adjoints times partial derivatives that are products themselves: one factor after the other.
//!
//! Of `y = 1 / x` the derivative `-(y * y)` is below the smallest float where `y` is below the square root of it. What
//! it multiplies is large there as often as not, as in `y.ln()`, and `(t * y) * y` is what it should be.

use crate::scalar::partials::{self, lit};
use crate::scalar::{Lanes, Scalar};

/// `t` times the derivative of `y = 1 / x`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn recip<S: Scalar, T: Lanes<S>>(t: T, y: S) -> T {
    t.scale(-y).scale(y)
}

/// `t` times the derivative of `y = a / b` by `b`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn divisor<S: Scalar, T: Lanes<S>>(t: T, b: S, y: S) -> T {
    t.scale(-y).scale(S::real_div(lit(1.0), b))
}

/// `t` times the derivative of `y = x^n`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn powi<S: Scalar, T: Lanes<S>>(t: T, x: S, n: i32, y: S) -> T {
    if n < 0 {
        t.scale(y).scale(S::real_div(lit(f64::from(n)), x))
    } else {
        t.scale(partials::powi::d0(x, n, y))
    }
}

/// `t` times the derivative of `y = x^p` by `x`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn powf<S: Scalar, T: Lanes<S>>(t: T, x: S, p: S, y: S) -> T {
    if p.lt(partials::zero()) {
        t.scale(y).scale(p / x)
    } else {
        t.scale(partials::powf::d0(x, p, y))
    }
}
