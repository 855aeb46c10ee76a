//! What is differentiated.

use di::prelude::*;

/// `sum of (x[i] - x[i - 1])^2`
#[differentiable]
pub(crate) fn differences(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let d = x[i] - x[i - 1];
        sum += d * d;
    }
    sum
}

/// `sum of (x[i] - x[i - 1])^4`
#[differentiable]
pub(crate) fn fourth(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let d = x[i] - x[i - 1];
        let square = d * d;
        sum += square * square;
    }
    sum
}

/// The chained Rosenbrock function.
#[differentiable]
pub(crate) fn rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let a = x[i] - x[i - 1] * x[i - 1];
        let b = 1.0 - x[i - 1];
        sum += 100.0 * a * a + b * b;
    }
    sum
}

/// The two-dimensional Brusselator on a periodic grid, discretised: first one species, then the other.
#[differentiable]
pub(crate) fn brusselator(x: &[f64], dx: &mut [f64]) {
    let m = x.len() / 2;
    let n = (m as f64).sqrt() as usize;
    let a = 10.0 * (n as f64) * (n as f64) / 1024.0;
    for i in 0..n {
        let row = i * n;
        let up = if i == 0 { m - n } else { row - n };
        let down = if i + 1 == n { 0 } else { row + n };
        for j in 0..n {
            let left = if j == 0 { n - 1 } else { j - 1 };
            let right = if j + 1 == n { 0 } else { j + 1 };
            let u = x[row + j];
            let v = x[m + row + j];
            let uuv = u * u * v;
            let around_u = x[up + j] + x[down + j] + x[row + left] + x[row + right];
            let around_v = x[m + up + j] + x[m + down + j] + x[m + row + left] + x[m + row + right];
            dx[row + j] = 1.0 + uuv - 4.4 * u + a * (around_u - 4.0 * u);
            dx[m + row + j] = 3.4 * u - uuv + a * (around_v - 4.0 * v);
        }
    }
}

/// A smooth state of the Brusselator.
pub(crate) fn initial(n: usize) -> Vec<f64> {
    let at = |k: usize| k as f64 / n as f64;
    let hump = |t: f64| (t * (1.0 - t)).powf(1.5);
    let u = (0..n * n).map(|k| 22.0 * hump(at(k / n)));
    let v = (0..n * n).map(|k| 27.0 * hump(at(k % n)));
    u.chain(v).collect()
}
