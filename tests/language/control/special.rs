//! Special functions inside annotated code: all generated forms, all orders.

use di::prelude::*;
use di::special::{self, erf, erfc, sigmoid};
use di_test::compare::{ROUNDING, assert_close};
use di_test::{inplace, scalar};

#[differentiable]
fn rows(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let e: f64 = erf(x[i]);
        s += e * erfc(x[0]) + special::normal_cdf(x[i]);
        if x[i] > 0.0 {
            s *= special::ln_gamma(x[i]) + special::digamma(x[i]) * special::gamma(x[i]);
        } else {
            s -= special::softplus(x[i]) * special::log_sigmoid(x[i]);
        }
        s += sigmoid(x[i] * s) + special::log_add_exp(x[i], s);
    }
    s
}

#[test]
fn rows_of_one_and_two_arguments() {
    scalar!(rows)
        .row(165)
        .check(&[&[0.7, 1.3, -0.4], &[-0.5, 0.4]]);
}

#[differentiable]
fn orders(x: &[f64], #[constant] n: i32) -> f64 {
    let mut s = special::j0(x[0]) * special::y1(x[1]) + special::j1(x[1]);
    for k in 0..3 {
        s += special::jn(k, x[0]) * special::yn(n - k, x[1]) * special::polygamma(k, x[1]);
    }
    s * special::beta(x[0], x[1]) + special::logit(x[0] / 4.0)
}

#[differentiable]
fn orders_of_two(x: &[f64]) -> f64 {
    orders(x, 2)
}

#[test]
fn rows_with_an_integer() {
    scalar!(orders_of_two)
        .row(165)
        .check(&[&[0.7, 1.3], &[2.5, 1.6]]);
}

#[differentiable]
fn slices(x: &[f64], y: &mut [f64]) {
    let n = x.len();
    let mut p = vec![0.0; n];
    special::softmax(x, &mut p);
    special::log_softmax(&p, y);
    for i in 0..n {
        y[i] *= special::log_sum_exp(&x[i..]);
    }
}

#[test]
fn functions_of_slices() {
    inplace!(slices, 3)
        .row(165)
        .check(&[&[0.7, 1.3, -0.4], &[-0.5, 0.4, 0.4]]);
    assert_eq!(special::log_sum_exp(&[]), f64::NEG_INFINITY);
    let mut p = [0.0; 2];
    special::softmax(&[1000.0, 1000.0], &mut p);
    assert_eq!(p, [0.5, 0.5]);
    let x = [1000.0, f64::NEG_INFINITY, 1000.0];
    let g = gradient(special::log_sum_exp::AD, NoPrep, &AutoSource::new(), &x).unwrap();
    assert_close("far out", &g, &[0.5, 0.0, 0.5], ROUNDING);
}

#[test]
fn handles_of_special_functions() {
    let x = 0.75;
    let d = derivative(erf::AD, NoPrep, &AutoSource::new(), &x).unwrap();
    let closed = std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp();
    assert_close("erf'", &[d], &[closed], ROUNDING);
    let d = second_derivative(erf::AD, NoPrep, &AutoDual::new(), &x).unwrap();
    assert_close("erf''", &[d], &[-2.0 * x * closed], ROUNDING);
    let f = special::jn::AD.with(3);
    let d = derivative(f, NoPrep, &AutoSource::new(), &x).unwrap();
    let closed = 0.5 * (special::jn(2, x) - special::jn(4, x));
    assert_close("J3'", &[d], &[closed], ROUNDING);
}

/// Far out both tails keep relative accuracy.
#[test]
fn tails_of_the_logistic_function() {
    for x in [-700.0, -40.0, 40.0, 700.0_f64] {
        let d = derivative(sigmoid::AD, NoPrep, &AutoSource::new(), &x).unwrap();
        let e = (-x.abs()).exp();
        assert_close(
            "sigmoid'",
            &[d / e],
            &[1.0 / ((1.0 + e) * (1.0 + e))],
            ROUNDING,
        );
    }
}
