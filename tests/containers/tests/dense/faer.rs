//! Columns and matrices of faer.

use di::Error;
use di::prelude::*;
use di_test::allocations::count;
use di_test::compare::{ROUNDING, assert_close};
use faer_v0_24::{Col, Mat};

use crate::functions::{
    NUMBERS, cubes, cubes_gradient, pair, pair_jacobian, weighted, weighted_gradient,
    weighted_hessian,
};

fn column(numbers: &[f64]) -> Col<f64> {
    Col::from_fn(numbers.len(), |k| numbers[k])
}

fn matrix(rows: usize, columns: usize, numbers: &[f64]) -> Mat<f64> {
    Mat::from_fn(rows, columns, |i, j| numbers[i * columns + j])
}

fn numbers(column: &Col<f64>) -> Vec<f64> {
    column.iter().copied().collect()
}

/// The numbers of a matrix, row by row.
fn rows(matrix: &Mat<f64>) -> Vec<f64> {
    let (rows, columns) = matrix.shape();
    let row = |i| (0..columns).map(move |j| matrix[(i, j)]);
    (0..rows).flat_map(row).collect()
}

#[test]
fn columns() {
    let x = column(&NUMBERS);
    for backend in ["source", "dual", "tape"] {
        let backend = di::auto(backend).unwrap();
        let prep = prepare_gradient(weighted::AD, &backend, &x).unwrap();
        let g: Col<f64> = gradient(weighted::AD, &prep, &backend, &x).unwrap();
        assert_close(
            "gradient",
            &numbers(&g),
            &weighted_gradient(&NUMBERS),
            ROUNDING,
        );
        let mut into = column(&[f64::NAN; 6]);
        value_and_gradient_into(weighted::AD, &mut into, &prep, &backend, &x).unwrap();
        assert_eq!(into, g);
    }
    let f = di::closure(|x: ndarray::ArrayView1<'_, f64>| x[0] * x[1]);
    let g = gradient(&f, NoPrep, &AutoFiniteDiff::new(), &column(&[2.0, 5.0])).unwrap();
    assert!((g[0] - 5.0).abs() < 1e-6 && (g[1] - 2.0).abs() < 1e-6);
}

#[test]
fn hessians_and_their_products() {
    let (backend, x) = (AutoSource::new(), column(&NUMBERS));
    let expected = weighted_hessian(&NUMBERS);
    let prep = prepare_hessian(weighted::AD, &backend, &x).unwrap();
    let (mut g, mut h) = (Col::zeros(6), Mat::full(6, 6, f64::NAN));
    hessian_into(weighted::AD, &mut h, &prep, &backend, &x).unwrap();
    assert_close("hessian_into", &rows(&h), &expected, ROUNDING);
    let made = Mat::from(hessian(weighted::AD, &prep, &backend, &x).unwrap());
    assert_eq!(made, h);
    let back = di::Matrix::from(made);
    assert_close(
        "from a matrix of faer",
        back.as_slice(),
        &expected,
        ROUNDING,
    );
    value_gradient_and_hessian_into(weighted::AD, &mut g, &mut h, &prep, &backend, &x).unwrap();
    assert_close(
        "gradient",
        &numbers(&g),
        &weighted_gradient(&NUMBERS),
        ROUNDING,
    );

    let v = Col::from_fn(6, |k| 1.0 - k as f64);
    let hv: Col<f64> = hvp(weighted::AD, NoPrep, &backend, &x, &v).unwrap();
    let product = |i: usize| (0..6).map(|j| expected[i * 6 + j] * v[j]).sum();
    let by_hand: Vec<f64> = (0..6).map(product).collect();
    assert_close("hvp", &numbers(&hv), &by_hand, ROUNDING);
}

#[test]
fn jacobians() {
    let (backend, x) = (AutoSource::new(), column(&[2.0, 3.0, 5.0]));
    let expected = pair_jacobian(&[2.0, 3.0, 5.0]);
    let (mut y, mut j) = (Col::zeros(2), Mat::full(2, 3, f64::NAN));
    let prep = prepare_jacobian(pair::AD.output(&mut y), &backend, &x).unwrap();
    jacobian_into(pair::AD.output(&mut y), &mut j, &prep, &backend, &x).unwrap();
    assert_eq!(
        (rows(&j), numbers(&y)),
        (expected.to_vec(), vec![6.0, 75.0])
    );
    // a part of a larger matrix
    let mut wide = Mat::full(4, 5, -1.0);
    let mut part = wide.as_mut().submatrix_mut(1, 2, 2, 3);
    jacobian_into(pair::AD.output(&mut y), &mut part, &prep, &backend, &x).unwrap();
    assert_eq!(wide.as_ref().submatrix(1, 2, 2, 3), j);
    assert_eq!(rows(&wide).iter().filter(|v| **v == -1.0).count(), 14);

    let dy = column(&[2.0, -3.0]);
    let dx: Col<f64> = pullback(pair::AD.output(&mut y), NoPrep, &backend, &x, &dy).unwrap();
    let by_hand: Vec<f64> = (0..3)
        .map(|k| 2.0 * expected[k] - 3.0 * expected[3 + k])
        .collect();
    assert_close("pullback", &numbers(&dx), &by_hand, ROUNDING);
}

#[test]
fn matrices_are_read_and_written_by_rows() {
    for backend in ["source", "dual", "tape"] {
        let (backend, x) = (di::auto(backend).unwrap(), matrix(2, 3, &NUMBERS));
        let g: Mat<f64> = gradient(weighted::AD, NoPrep, &backend, &x).unwrap();
        assert_eq!(g.shape(), (2, 3));
        assert_close(
            "gradient",
            &rows(&g),
            &weighted_gradient(&NUMBERS),
            ROUNDING,
        );
    }
    for (r, c) in [(2, 3), (1, 6), (6, 1)] {
        let a = matrix(r, c, &NUMBERS);
        let g: Mat<f64> = gradient(cubes::AD, NoPrep, &AutoSource::new(), &a).unwrap();
        let expected = Mat::from_fn(r, c, |i, j| cubes_gradient(i, j, a[(i, j)]));
        assert_close("of a view", &rows(&g), &rows(&expected), ROUNDING);
    }
}

/// A matrix of the user's that is not differentiated.
#[differentiable]
fn quadratic(x: &[f64], #[constant] a: &Mat<f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        for j in 0..x.len() {
            sum += a[(i, j)] * x[i] * x[j];
        }
    }
    sum
}

#[test]
fn constants_are_compared() {
    let a = matrix(2, 2, &[1.0, 2.0, 0.0, 3.0]);
    let (backend, x) = (AutoTape::new(), column(&[5.0, 7.0]));
    let prep = prepare_gradient(quadratic::AD.with(&a), &backend, &x).unwrap();
    let other = matrix(2, 2, &[2.0, 1.0, 1.0, -1.0]);
    for a in [&a, &other, &a] {
        let g = gradient(quadratic::AD.with(a), &prep, &backend, &x).unwrap();
        let entry = |i: usize| (0..2).map(|j| (a[(i, j)] + a[(j, i)]) * x[j]).sum();
        assert_close("gradient", &numbers(&g), &[entry(0), entry(1)], ROUNDING);
    }
}

#[test]
fn sizes_are_checked_and_nothing_is_allocated() {
    let (backend, x) = (AutoSource::new(), column(&NUMBERS));
    let prep = prepare_hessian(weighted::AD, &backend, &x).unwrap();
    let error = hessian_into(weighted::AD, &mut Mat::zeros(5, 6), &prep, &backend, &x);
    assert!(matches!(error, Err(Error::Shape(_))), "{error:?}");
    let mut h = Mat::zeros(6, 6);
    let mut call = || hessian_into(weighted::AD, &mut h, &prep, &backend, &x).unwrap();
    let ((), first) = count(&mut call);
    let ((), second) = count(&mut call);
    assert_eq!((first, second), (1, 0));
}
