//! Functions, and their derivatives by hand.

use di::prelude::*;
use ndarray::ArrayView2;

/// `sum (k + 1) x_k^2 + x_0 x_1^2`: each entry has a derivative of its own, so that order shows.
#[differentiable]
pub(crate) fn weighted(x: &[f64]) -> f64 {
    let mut sum = x[0] * x[1] * x[1];
    for k in 0..x.len() {
        sum += (k as f64 + 1.0) * x[k] * x[k];
    }
    sum
}

/// Its gradient.
pub(crate) fn weighted_gradient(x: &[f64]) -> Vec<f64> {
    let mut g: Vec<f64> = (0..x.len())
        .map(|k| 2.0 * (k as f64 + 1.0) * x[k])
        .collect();
    g[0] += x[1] * x[1];
    g[1] += 2.0 * x[0] * x[1];
    g
}

/// Its Hessian, row by row.
pub(crate) fn weighted_hessian(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut h = vec![0.0; n * n];
    for k in 0..n {
        h[k * n + k] = 2.0 * (k as f64 + 1.0);
    }
    h[1] += 2.0 * x[1];
    h[n] += 2.0 * x[1];
    h[n + 1] += 2.0 * x[0];
    h
}

/// Three inputs to two outputs.
#[differentiable]
pub(crate) fn pair(x: &[f64], y: &mut [f64]) {
    y[0] = x[0] * x[1];
    y[1] = x[1] * x[2] * x[2];
}

/// Its Jacobian, row by row.
pub(crate) fn pair_jacobian(x: &[f64]) -> [f64; 6] {
    [x[1], x[0], 0.0, 0.0, x[2] * x[2], 2.0 * x[1] * x[2]]
}

/// Of an array, for vectors of static size.
#[differentiable]
pub(crate) fn product(x: &[f64; 3]) -> f64 {
    x[0] * x[1] * x[2]
}

/// Of a view with two dimensions: `sum (i + 1) (j + 2) a_ij^3`.
#[differentiable]
pub(crate) fn cubes(a: ArrayView2<'_, f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.nrows() {
        for j in 0..a.ncols() {
            sum += (i as f64 + 1.0) * (j as f64 + 2.0) * a[[i, j]].powi(3);
        }
    }
    sum
}

/// An entry of its gradient.
pub(crate) fn cubes_gradient(i: usize, j: usize, v: f64) -> f64 {
    3.0 * (i as f64 + 1.0) * (j as f64 + 2.0) * v * v
}

/// Six different numbers.
pub(crate) const NUMBERS: [f64; 6] = [0.5, -1.5, 2.0, 3.0, -0.25, 1.25];
