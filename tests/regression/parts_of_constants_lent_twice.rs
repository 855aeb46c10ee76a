//! A function that lends one part of a parameter twice, `b.dot(b)` of arrays, `dot(&b[1..], &b[1..])`, panicked in
//! reverse mode where its caller passed a constant: the part of an adjoint that nobody asks for was measured.

use di::prelude::*;
use di_test::scalar;
use ndarray::{Array1, Array2};

const POINTS: [&[f64]; 2] = [&[1.1, 0.7, 1.3], &[-0.6, 1.9, 2.2]];

#[differentiable]
fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn parts(a: &[f64], b: &[f64]) -> f64 {
    inner(&b[1..], &b[1..]) * inner(a, b) + inner(&b[..2], &b[1..])
}

#[differentiable]
fn arrays(a: &[f64], b: &Array1<f64>, m: &Array2<f64>) -> f64 {
    let product = m.t().dot(m);
    b.dot(b) * inner(a, a) + m.row(0).dot(&m.row(1)) * a[0] * a[1] + product.sum() * a[2] * a[2]
}

#[differentiable]
fn of_slices(x: &[f64], #[constant] b: &[f64]) -> f64 {
    parts(x, b) * x[0]
}

#[differentiable]
fn of_arrays(x: &[f64], #[constant] b: &Array1<f64>, #[constant] m: &Array2<f64>) -> f64 {
    arrays(x, b, m) * x[0]
}

#[test]
fn adjoints_of_constants_have_no_parts() {
    let b = [0.5, 0.7, -0.3];
    let array = Array1::from(b.to_vec());
    let m = Array2::from_shape_fn((3, 3), |(i, j)| 0.3 + i as f64 - 0.2 * j as f64);
    scalar!(of_slices::AD.with(&b), |x: &[f64]| of_slices(x, &b)).check(&POINTS);
    scalar!(of_arrays::AD.with(&array, &m), |x: &[f64]| of_arrays(
        x, &array, &m
    ))
    .check(&POINTS);
}
