//! A sum of quotients and roots, with and without strong zeros: what the word costs.

use di::prelude::*;

/// `sum_i mask_i sqrt(x_i) / (1 + x_i)`.
#[differentiable]
pub fn roots(x: &[f64], #[constant] mask: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += mask[i] * x[i].sqrt() / (1.0 + x[i]);
    }
    sum
}

/// The same: a zero adjoint wins over a pole.
#[differentiable(strong_zeros)]
pub fn masked_roots(x: &[f64], #[constant] mask: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += mask[i] * x[i].sqrt() / (1.0 + x[i]);
    }
    sum
}

/// Writes the gradient by hand to `gradient`, and returns the value.
pub fn value_and_gradient(x: &[f64], mask: &[f64], gradient: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for ((g, x), mask) in gradient.iter_mut().zip(x).zip(mask) {
        let (root, inverse) = (x.sqrt(), 1.0 / (1.0 + x));
        let y = mask * root * inverse;
        *g = 0.5 * mask * inverse / root - y * inverse;
        sum += y;
    }
    sum
}
