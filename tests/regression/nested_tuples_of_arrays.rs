//! The first read of an array in a nested tuple, `p.0.0[0]`, took it away: later reads saw an empty array.

#![allow(clippy::type_complexity, reason = "nested tuples are the subject")]

use di::prelude::*;
use di_test::scalar;
use ndarray::{Array1, Array2, array};

const POINTS: [&[f64]; 2] = [&[0.7, 1.3, -0.4], &[1.2, 0.3, 0.8]];

#[differentiable]
fn nested(x: &[f64]) -> ((Array1<f64>, Array2<f64>), f64) {
    ((array![x[0], x[1]], array![[x[1], x[2], x[0]]]), x[0])
}

#[differentiable]
fn squares(a: &Array1<f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.len() {
        sum += a[i] * a[i] * (1.3 + i as f64);
    }
    sum
}

#[differentiable]
fn read_twice(x: &[f64]) -> f64 {
    let p = nested(x);
    let t = p.0.0[0] * p.1 + p.0.1[[0, 2]];
    t + squares(&p.0.0) * p.0.1[[0, 1]] + p.0.1.sum()
}

#[differentiable]
fn taken_apart_afterwards(x: &[f64]) -> f64 {
    let p = nested(x);
    let t = p.0.0[0] * p.1 * p.0.0.len() as f64;
    let ((b, c), v) = p;
    t + squares(&b) * v + c[[0, 1]] * c[[0, 0]]
}

#[differentiable]
fn behind_a_reference(x: &[f64]) -> f64 {
    let p = &nested(x);
    let mut sum = 0.0;
    for i in 0..2 {
        sum += p.0.0[i] * squares(&p.0.0) + p.0.0.dot(&p.0.0);
    }
    sum
}

#[differentiable]
fn tried(x: &[f64]) -> Option<((Array1<f64>, f64), Array1<f64>)> {
    if x[0] < 0.0 {
        return None;
    }
    Some(((array![x[0] * x[1], x[2]], x[1]), array![x[1], x[2]]))
}

#[differentiable]
fn in_options(x: &[f64]) -> f64 {
    match tried(x) {
        Some(p) => p.0.0[0] * p.0.0[1] * p.0.1 + p.1.dot(&p.0.0) + p.1[0],
        None => x[1],
    }
}

#[differentiable]
fn local(x: &[f64]) -> f64 {
    let p = ((array![x[0], x[1]], array![x[2]]), x[0]);
    let f = |k: usize| p.0.0[k] * p.0.1[0];
    f(0) * f(1) + p.0.0.sum() + p.1
}

#[test]
fn arrays_in_nested_tuples_stay_where_they_are() {
    scalar!(read_twice).takes_memory().check(&POINTS);
    scalar!(taken_apart_afterwards)
        .takes_memory()
        .check(&POINTS);
    scalar!(behind_a_reference).takes_memory().check(&POINTS);
    scalar!(in_options).takes_memory().check(&POINTS);
    scalar!(local).takes_memory().check(&POINTS);
}
