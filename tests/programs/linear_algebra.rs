//! Dense linear algebra in place: triangular systems, Cholesky's factors, a Gaussian likelihood.

use di::prelude::*;
use di_test::compare::{Tolerance, assert_close};
use di_test::{inplace, program};

/// Solves `L y = b` for a lower triangle, row by row; `x` is `L` by rows, then `b`.
#[differentiable]
fn forward_substitution(x: &[f64], y: &mut [f64]) {
    let n = y.len();
    let (l, b) = x.split_at(n * n);
    for i in 0..n {
        let mut sum = b[i];
        for j in 0..i {
            sum -= l[i * n + j] * y[j];
        }
        y[i] = sum / l[i * n + i];
    }
}

#[test]
fn triangular_system() {
    let x = [
        2.0, 0.0, 0.0, 0.5, 1.5, 0.0, -1.0, 0.25, 3.0, 1.0, -2.0, 0.5,
    ];
    let mut y = [0.0; 3];
    program!(forward_substitution::AD.output(&mut y), [&x]);
    inplace!(forward_substitution, 3).check(&[&x]);
}

/// Cholesky's factor of a symmetric matrix, in place, and half of the logarithm of its determinant.
#[differentiable]
fn cholesky(a: &mut [f64], n: usize) -> f64 {
    let mut half_log = 0.0;
    for j in 0..n {
        for k in 0..j {
            let factor = a[j * n + k];
            for i in j..n {
                a[i * n + j] -= a[i * n + k] * factor;
            }
        }
        let root = a[j * n + j].sqrt();
        for i in j..n {
            a[i * n + j] /= root;
        }
        half_log += root.ln();
    }
    half_log
}

/// Minus the log density of a Gaussian: `x` is its mean and a root of its covariance, by rows.
#[differentiable]
fn gaussian(x: &[f64], #[constant] point: &[f64]) -> f64 {
    let n = point.len();
    let (mean, root) = x.split_at(n);
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                a[i * n + j] += root[i * n + k] * root[j * n + k];
            }
        }
        a[i * n + i] += 0.5;
    }
    let mut sum: f64 = cholesky(&mut a, n);
    let mut z = vec![0.0; n];
    for i in 0..n {
        let mut r = point[i] - mean[i];
        for j in 0..i {
            r -= a[i * n + j] * z[j];
        }
        z[i] = r / a[i * n + i];
        sum += 0.5 * z[i] * z[i];
    }
    sum
}

#[test]
fn gaussian_by_cholesky() {
    let point = [0.5, -1.0, 2.0];
    let x = [0.1, 0.2, 0.3, 1.5, 0.3, -0.2, 0.4, 1.1, 0.6, -0.5, 0.2, 0.9];
    program!(gaussian::AD.with(&point), [&x]);
}

#[differentiable]
fn log_determinant(x: &[f64], n: usize) -> f64 {
    let mut a = x.to_vec();
    2.0 * cholesky(&mut a, n)
}

#[test]
fn log_determinant_has_the_inverse_as_gradient() {
    // [[4, 1], [1, 3]]; only the lower triangle is read, so that the entry below the diagonal counts twice
    let x = [4.0, 1.0, 1.0, 3.0];
    let g = gradient(
        log_determinant::AD.with(2),
        NoPrep,
        &AutoSource::new(),
        &x[..],
    )
    .unwrap();
    let expected = [3.0 / 11.0, 0.0, -2.0 / 11.0, 4.0 / 11.0];
    let tolerance = Tolerance {
        relative: 1e-12,
        absolute: 1e-14,
    };
    assert_close("gradient", &g, &expected, tolerance);
}

/// Newton's iteration for the inverse: `X <- X (2 I - A X)`, as often as it takes.
#[differentiable]
fn inverse_by_newton(a: &[f64]) -> f64 {
    let mut size: f64 = 0.0;
    for i in 0..3 {
        for j in 0..3 {
            size += a[3 * i + j] * a[3 * i + j];
        }
    }
    let mut x = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            x[i][j] = a[3 * j + i] / size;
        }
    }
    for _ in 0..100 {
        let mut r = [[0.0; 3]; 3];
        let mut rest: f64 = 0.0;
        for i in 0..3 {
            for j in 0..3 {
                let mut sum = if i == j { 2.0 } else { 0.0 };
                for k in 0..3 {
                    sum -= a[3 * i + k] * x[k][j];
                }
                r[i][j] = sum;
                let unit = if i == j { 1.0 } else { 0.0 };
                rest = rest.max((sum - unit).abs());
            }
        }
        let old = x;
        for i in 0..3 {
            for j in 0..3 {
                x[i][j] = 0.0;
                for k in 0..3 {
                    x[i][j] += old[i][k] * r[k][j];
                }
            }
        }
        if rest < 1e-9 {
            break;
        }
    }
    let mut sum = 0.0;
    for (i, row) in x.iter().enumerate() {
        for (j, v) in row.iter().enumerate() {
            sum += v * (3 * i + j + 1) as f64;
        }
    }
    sum
}

#[test]
fn matrix_inverse() {
    let a = [3.0, 0.5, -0.2, 0.1, 2.0, 0.4, -0.3, 0.6, 1.5];
    program!(inverse_by_newton::AD, [&a]);
}

/// Sorts in place by insertion; the sum weighs by rank.
#[differentiable]
fn ranked(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    for i in 1..v.len() {
        let key = v[i];
        let mut j = i;
        while j > 0 && v[j - 1] > key {
            v[j] = v[j - 1];
            j -= 1;
        }
        v[j] = key;
    }
    let mut s = 0.0;
    for (rank, v) in v.iter().enumerate() {
        s += v.powi(2) * (rank + 1) as f64;
    }
    s
}

#[test]
fn insertion_sort() {
    let x = [0.7, -1.1, 2.4, 0.2, -0.3, 1.9];
    program!(ranked::AD, [&x, &[3.0, 2.0, 1.0], &[1.0]]);
    let g = gradient(ranked::AD, NoPrep, &AutoSource::new(), &x[..]).unwrap();
    let ranks = [4.0, 1.0, 6.0, 3.0, 2.0, 5.0];
    let expected: Vec<f64> = x.iter().zip(ranks).map(|(x, r)| 2.0 * x * r).collect();
    assert_eq!(g, expected);
}
