//! Sparse matrices of functions with constants and caches, that return and that write, of vectors and of matrices.

use di::prelude::*;
use di::sparse::{AutoSparse, MixedMode, SparsePrep};
use di_test::parity::rows;
use ndarray::Array2;

use super::{close, dense};

/// Each entry with its neighbour on the right, by way of a buffer.
#[differentiable]
fn edges(x: &[f64], #[constant] k: f64, #[cache] buffer: &mut [f64]) -> Vec<f64> {
    for i in 0..x.len() - 1 {
        buffer[i] = k * x[i + 1] - x[i];
    }
    let mut y = vec![0.0; x.len() - 1];
    for i in 0..x.len() - 1 {
        y[i] = buffer[i] * buffer[i];
    }
    y
}

#[differentiable]
fn edges_into(x: &[f64], #[constant] k: f64, #[cache] buffer: &mut [f64], y: &mut [f64]) {
    for i in 0..x.len() - 1 {
        buffer[i] = k * x[i + 1] - x[i];
        y[i] = buffer[i] * buffer[i];
    }
}

#[differentiable]
fn energy(x: &[f64], #[constant] k: f64, #[cache] buffer: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        buffer[i] = k * x[i + 1] - x[i];
        sum += buffer[i] * buffer[i] * buffer[i];
    }
    sum
}

/// Each entry of a grid with the one below, times a constant grid.
#[differentiable]
fn columns(x: &Array2<f64>, #[constant] a: &Array2<f64>, y: &mut Array2<f64>) {
    for i in 0..x.nrows() {
        for j in 0..x.ncols() {
            y[[i, j]] = a[[i, j]] * x[[i, j]] * x[[i, j]];
            if i > 0 {
                y[[i, j]] += x[[i - 1, j]];
            }
        }
    }
}

const X: [f64; 6] = [0.3, -0.4, 1.1, 0.7, -1.3, 0.2];

/// By hand.
fn edges_jacobian(k: f64) -> Array2<f64> {
    let mut j = Array2::zeros((5, 6));
    for i in 0..5 {
        let d = k * X[i + 1] - X[i];
        j[[i, i]] = -2.0 * d;
        j[[i, i + 1]] = 2.0 * k * d;
    }
    j
}

fn energy_hessian(k: f64) -> Array2<f64> {
    let mut h = Array2::zeros((6, 6));
    for i in 0..5 {
        let d = 6.0 * (k * X[i + 1] - X[i]);
        h[[i, i]] += d;
        h[[i + 1, i + 1]] += k * k * d;
        h[[i, i + 1]] -= k * d;
        h[[i + 1, i]] -= k * d;
    }
    h
}

/// With another constant in the prep than in the calls, and a buffer that is no number.
macro_rules! jacobians {
    ($($backend:expr),+) => {$({
        let backend = $backend;
        let buffer = [f64::NAN; 5];
        let prep = prepare_jacobian(edges::AD.with(9.0, &buffer), &backend, &[0.0; 6]).unwrap();
        for k in [2.0, -1.5] {
            let f = edges::AD.with(k, &buffer);
            close(&dense(&jacobian(f, &prep, &backend, &X).unwrap()), &edges_jacobian(k));
        }
        let mut y = vec![0.0; 5];
        let f = edges_into::AD.with(9.0, &buffer).output(&mut y);
        let prep = prepare_jacobian(f, &backend, &[0.0; 6]).unwrap();
        let mut j = prep.structure().unwrap().layout().zeros();
        for k in [2.0, -1.5] {
            let f = edges_into::AD.with(k, &buffer).output(&mut y);
            jacobian_into(f, &mut j, &prep, &backend, &X).unwrap();
            assert_eq!(j.nnz(), 10);
            close(&dense(&j), &edges_jacobian(k));
        }
    })+};
}

#[test]
fn constants_and_caches_of_functions_that_return_and_that_write() {
    let _row = rows(&[91]);
    jacobians!(
        AutoSparse::new(AutoSource::new()),
        AutoSparse::new(AutoSource::new().reverse()),
        AutoSparse::new(AutoDual::new()),
        AutoSparse::new(AutoTape::new()),
        AutoSparse::new(MixedMode::new(AutoDual::new(), AutoSource::new().reverse()))
    );
    macro_rules! hessians {
        ($($backend:expr),+) => {$({
            let backend = $backend;
            let buffer = [f64::NAN; 5];
            let prep = prepare_hessian(energy::AD.with(9.0, &buffer), &backend, &[0.0; 6]).unwrap();
            for k in [2.0, -1.5] {
                let h = hessian(energy::AD.with(k, &buffer), &prep, &backend, &X).unwrap();
                assert_eq!(h.nnz(), 16);
                close(&dense(&h), &energy_hessian(k));
            }
        })+};
    }
    hessians!(
        AutoSparse::new(AutoSource::new()),
        AutoSparse::new(AutoTape::new()),
        AutoSparse::new(SecondOrder::new(AutoDual::new(), AutoSource::new()))
    );
}

#[test]
fn matrices_are_read_row_by_row() {
    let _row = rows(&[91]);
    let (rows, n) = (4, 3);
    let x = Array2::from_shape_fn((rows, n), |(i, j)| 0.3 + i as f64 - 0.7 * j as f64);
    let a = Array2::from_shape_fn((rows, n), |(i, j)| 1.0 + (i * j) as f64);
    let expected = Array2::from_shape_fn((rows * n, rows * n), |(r, c)| {
        let (i, j) = (r / n, r % n);
        if r == c {
            2.0 * a[[i, j]] * x[[i, j]]
        } else if r == c + n {
            1.0
        } else {
            0.0
        }
    });
    macro_rules! each {
        ($($backend:expr),+) => {$({
            let backend = $backend;
            let mut y = Array2::zeros((rows, n));
            let f = columns::AD.with(&a).output(&mut y);
            let j = jacobian(f, NoPrep, &backend, &x).unwrap();
            assert_eq!(j.nnz(), rows * n + (rows - 1) * n);
            close(&dense(&j), &expected);
            // a transposed view is not contiguous
            let t = x.t().to_owned();
            let f = columns::AD.with(&a).output(&mut y);
            let j = jacobian(f, NoPrep, &backend, &t.t()).unwrap();
            close(&dense(&j), &expected);
        })+};
    }
    each!(
        AutoSparse::new(AutoSource::new()),
        AutoSparse::new(AutoDual::new()),
        AutoSparse::new(AutoTape::new())
    );
}
