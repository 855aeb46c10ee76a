//! An index that falls from trip to trip, or would after the last one, was stepped below zero: the derivative panicked.

use di::prelude::*;
use di_test::scalar;

const POINT: &[f64] = &[
    0.7, 1.3, -0.4, 0.2, 0.9, 1.1, -0.8, 0.3, 0.6, 1.7, -0.2, 0.5, 0.1,
];

#[differentiable]
fn upwards(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n + 1 {
        sum += x[n * i - i * (i + 1) / 2 + 1].sin();
    }
    sum
}

#[differentiable]
fn downwards(x: &[f64], n: usize, last: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        let k = last - i * (i + 1) / 2;
        sum += x[k].exp() * x[k];
    }
    sum
}

#[test]
fn stepped_indices_stay_what_the_formula_gives() {
    for n in 0..5 {
        scalar!(upwards::AD.with(n), |x: &[f64]| upwards(x, n)).check(&[POINT]);
        let last = n * n.saturating_sub(1) / 2;
        scalar!(downwards::AD.with(n, last), |x: &[f64]| downwards(
            x, n, last
        ))
        .check(&[POINT]);
    }
}
