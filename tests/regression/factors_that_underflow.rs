//! Derivatives that are of the size of one were zero, since a factor on the way was formed that is below the smallest
//! float: `y * y` of a reciprocal `y`, or an imaginary part.

use di::prelude::*;
use di::{AutoComplexStep, AutoSymbolic, AutoTaylor};
use di_test::compare::{Tolerance, assert_close};

const ROUNDING: Tolerance = Tolerance {
    relative: 1e-11,
    absolute: 1e-11,
};

macro_rules! functions {
    ($($name:ident($x:ident) { $($body:tt)* })*) => {$(
        #[differentiable]
        fn $name($x: &[f64]) -> f64 {
            $($body)*
        }
    )*};
}
functions! {
    likelihood(x) { (1.0 / (1.0 + (-x[0]).exp())).ln() }
    softmax(x) { (x[0].exp() / (x[0].exp() + x[1].exp())).ln() }
    reciprocal(x) { x[0].exp().recip().ln() }
    inverse(x) { x[0].exp().powi(-1).ln() }
    inverse_square(x) { x[0].exp().powi(-2).ln() }
    inverse_power(x) { x[0].exp().powf(-1.0).ln() }
    inverse_root(x) { x[0].exp().powf(-0.5).ln() }
    quotient_of_powers(x) { (x[0].powf(1.5) / 2_f64.powf(x[0])).ln() }
    gauss(x) { (-0.5 * x[0] * x[0]).exp().ln() }
    quotient_by_a_parameter(x) { let a = 1.0; a / x[0].exp() * x[0].exp() }
}

#[differentiable]
fn integer_power(x: &[f64], n: i32) -> f64 {
    x[0].exp().powi(n).ln()
}

#[differentiable]
fn power(x: &[f64], #[constant] p: f64) -> f64 {
    x[0].exp().powf(p).ln()
}

/// Exponents that are differentiated themselves.
#[differentiable]
fn both(x: &[f64]) -> f64 {
    x[0].exp().powf(x[1]).ln()
}

macro_rules! gradients {
    ($f:expr, $x:expr, $expected:expr) => {{
        gradients!($f, $x, $expected; but by expressions);
        gradients!(@ $f, $x, $expected; AutoSymbolic::new(), AutoSymbolic::new().factored());
    }};
    ($f:expr, $x:expr, $expected:expr; but by expressions) => {
        gradients!(@ $f, $x, $expected;
            AutoSource::new(),
            AutoSource::new().forward(),
            AutoSource::new().reverse(),
            AutoDual::new(),
            AutoTaylor::new(),
            AutoTape::new(),
            AutoTape::eager(),
            AutoComplexStep::new());
    };
    (@ $f:expr, $x:expr, $expected:expr; $($backend:expr),*) => {$(
        let found = gradient($f, NoPrep, &$backend, &$x).unwrap();
        let what = concat!(stringify!($f), " by ", stringify!($backend));
        assert_close(what, &found, &$expected, ROUNDING);
    )*};
}

#[test]
fn reciprocals_and_quotients() {
    gradients!(likelihood::AD, [-400.0], [1.0]);
    gradients!(likelihood::AD, [-300.0], [1.0]);
    gradients!(softmax::AD, [0.0, 400.0], [1.0, -1.0]);
    gradients!(reciprocal::AD, [400.0], [-1.0]);
    gradients!(
        quotient_of_powers::AD,
        [800.0],
        [1.5 / 800.0 - core::f64::consts::LN_2]
    );
    gradients!(quotient_by_a_parameter::AD, [400.0], [0.0]);
}

#[test]
fn negative_powers() {
    gradients!(inverse::AD, [400.0], [-1.0]);
    gradients!(inverse_square::AD, [300.0], [-2.0]);
    gradients!(inverse_power::AD, [400.0], [-1.0]);
    gradients!(inverse_root::AD, [600.0], [-0.5]);
    gradients!(integer_power::AD.with(-1), [400.0], [-1.0]);
    gradients!(power::AD.with(-0.5), [600.0], [-0.5]; but by expressions);
    gradients!(both::AD, [600.0, -0.5], [-0.5, 600.0]; but by expressions);
}

#[test]
fn small_numbers_times_a_step() {
    gradients!(gauss::AD, [22.0], [-22.0]);
    gradients!(gauss::AD, [33.0], [-33.0]);
}

#[test]
fn second_derivatives() {
    macro_rules! hessians {
        ($f:expr, $x:expr, $($backend:expr),*) => {$(
            let found = hessian($f, NoPrep, &$backend, &[$x]).unwrap();
            let what = concat!(stringify!($f), " by ", stringify!($backend));
            let second = -$x.exp() / (1.0 + $x.exp()).powi(2);
            assert_close(what, &[found[[0, 0]]], &[second], ROUNDING);
        )*};
    }
    for x in [-150.0_f64, -250.0, -300.0, -400.0] {
        hessians!(
            likelihood::AD,
            x,
            AutoSource::new(),
            AutoDual::new(),
            AutoTaylor::new(),
            AutoTape::new(),
            AutoSymbolic::new(),
            AutoComplexStep::new()
        );
    }
}
