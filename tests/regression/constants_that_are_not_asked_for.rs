//! A list of constants that went to a constant parameter and to a differentiated one, whose adjoint does not ask for its
//! values: it was put on the tape all the same, and what was kept below it was read in its place.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};

#[differentiable]
fn misfit(x: &[f64], #[constant] d: &[f64]) -> f64 {
    let terms = x.iter().zip(d).map(|(x, d)| (x - d).powi(2) * d.exp());
    terms.sum()
}

#[differentiable]
fn first_two(a: &[f64]) -> f64 {
    a[0] + 2.0 * a[1]
}

#[differentiable]
fn f(x: &[f64], #[constant] d: &[f64]) -> f64 {
    let mut a: Vec<f64> = d.iter().map(|v| -v).collect();
    let mut sum = 0.0;
    for k in 0..3 {
        sum += misfit(x, &a) * x[0];
        a[0] += 0.3 * k as f64;
        sum += first_two(&a) * x[1] * sum;
        a[1] -= 0.2;
    }
    sum
}

#[test]
fn adjoints_read_what_was_kept_for_them() {
    let d = [0.3, -0.7];
    let (f, x) = (f::AD.with(&d[..]), [0.4, 1.1]);
    // by the product and the chain rule, step by step
    let (mut a, mut sum, mut slope) = ([-0.3_f64, 0.7], 0.0, [0.0, 0.0]);
    for k in 0..3 {
        let terms = [0, 1].map(|i| (x[i] - a[i]).powi(2) * a[i].exp());
        let by = [0, 1].map(|i| 2.0 * (x[i] - a[i]) * a[i].exp() * x[0]);
        sum += (terms[0] + terms[1]) * x[0];
        slope = [slope[0] + by[0] + terms[0] + terms[1], slope[1] + by[1]];
        a[0] += 0.3 * f64::from(k);
        let two = a[0] + 2.0 * a[1];
        slope = slope.map(|s| s * (1.0 + two * x[1]));
        slope[1] += two * sum;
        sum += two * x[1] * sum;
        a[1] -= 0.2;
    }
    for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
        let found = gradient(f, NoPrep, &backend, &x).unwrap();
        assert_close("gradient", &found, &slope, ROUNDING);
    }
}
