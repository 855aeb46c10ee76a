//! Gaussian elimination with pivoting: branches on active values, rows that change places, early return.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use di_test::scalar;

/// Logarithm of the absolute value of the determinant of an `n` by `n` matrix, row by row; minus infinity if singular.
#[differentiable]
fn log_det(a: &[f64], n: usize) -> f64 {
    let mut lu = vec![0.0; n * n];
    for k in 0..n * n {
        lu[k] = a[k];
    }
    let mut log = 0.0;
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if lu[i * n + k].abs() > lu[pivot * n + k].abs() {
                pivot = i;
            }
        }
        if lu[pivot * n + k] == 0.0 {
            return f64::NEG_INFINITY;
        }
        if pivot != k {
            for j in k..n {
                let held = lu[k * n + j];
                lu[k * n + j] = lu[pivot * n + j];
                lu[pivot * n + j] = held;
            }
        }
        log += lu[k * n + k].abs().ln();
        for i in k + 1..n {
            let factor = lu[i * n + k] / lu[k * n + k];
            for j in k + 1..n {
                lu[i * n + j] -= factor * lu[k * n + j];
            }
        }
    }
    log
}

#[test]
fn gradient_is_the_transposed_inverse() {
    let a = [1.0, 2.0, 0.5, 4.0, -1.0, 3.0, 0.25, 5.0, 1.0];
    let n = 3;
    scalar!(log_det::AD.with(n), |a| log_det(a, n))
        .step(0.05)
        .check(&[&a]);
    let g = gradient(log_det::AD.with(n), NoPrep, &AutoSource::new(), &a[..]).unwrap();
    // Inverse by cofactors.
    let minor = |i: usize, j: usize| {
        let (r, c) = ([(i + 1) % 3, (i + 2) % 3], [(j + 1) % 3, (j + 2) % 3]);
        a[r[0] * 3 + c[0]] * a[r[1] * 3 + c[1]] - a[r[0] * 3 + c[1]] * a[r[1] * 3 + c[0]]
    };
    let det: f64 = (0..3).map(|j| a[j] * minor(0, j)).sum();
    let expected: Vec<f64> = (0..9).map(|k| minor(k / 3, k % 3) / det).collect();
    assert_close("gradient of log|det|", &g, &expected, ROUNDING);
}

#[test]
fn singular_matrix_returns_early() {
    let singular = [0.0, 1.0, 0.0, 2.0];
    let f = log_det::AD.with(2);
    let prep = prepare_gradient(f, &AutoSource::new(), &singular[..]).unwrap();
    let (value, g) = value_and_gradient(f, &prep, &AutoSource::new(), &singular[..]).unwrap();
    assert_eq!(value, f64::NEG_INFINITY);
    assert_eq!(g, [0.0; 4]);
}
