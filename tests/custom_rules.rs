//! Functions whose derivatives are given by their author, called from annotated code, under every engine.

use di::custom_rule;
use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use std::sync::atomic::{AtomicUsize, Ordering};

static RUNS: AtomicUsize = AtomicUsize::new(0);

/// As if from a library that knows nothing of us: not the function whose derivative is given below.
fn lookup(x: f64) -> f64 {
    RUNS.fetch_add(1, Ordering::Relaxed);
    (x * 1000.0).floor() / 1000.0
}

#[differentiable]
fn slope(x: f64) -> f64 {
    1.0 + 0.0 * x
}

custom_rule! {
    /// Steps, differentiated as the line behind them.
    fn steps(x: f64) -> f64 { primal: lookup, partials: [slope] }
}

fn power_value(x: f64, y: f64) -> f64 {
    x.powf(y)
}

#[differentiable]
fn by_base(x: f64, y: f64) -> f64 {
    y * x.powf(y - 1.0)
}

#[differentiable]
fn by_exponent(x: f64, y: f64) -> f64 {
    x.powf(y) * x.ln()
}

custom_rule! {
    fn power(x: f64, y: f64) -> f64 { primal: power_value, partials: [by_base, by_exponent] }
}

#[differentiable]
fn program(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += power(x[i], 1.0 + x[i]) * x[0];
    }
    s + power(2.0, x[0]) + power(x[1], 3.0)
}

#[differentiable]
fn reference(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i].powf(1.0 + x[i]) * x[0];
    }
    s + 2.0_f64.powf(x[0]) + x[1].powf(3.0)
}

#[differentiable]
fn stepped(x: &[f64]) -> f64 {
    steps(x[0]) * x[1]
}

#[test]
fn the_rule_is_used_and_not_the_body() {
    let x = [0.5, 3.0];
    for (name, g) in [
        (
            "AutoSource",
            gradient(stepped::AD, NoPrep, &AutoSource::new(), &x),
        ),
        (
            "forward",
            gradient(stepped::AD, NoPrep, &AutoSource::new().forward(), &x),
        ),
        (
            "AutoDual",
            gradient(stepped::AD, NoPrep, &AutoDual::new(), &x),
        ),
    ] {
        assert_eq!(g.unwrap(), [3.0, 0.5], "{name}");
    }
    assert!(RUNS.load(Ordering::Relaxed) > 0);
}

#[test]
fn rules_inside_programs_agree_with_the_table() {
    let x = [0.7, 1.3, 2.1];
    let expected = gradient(reference::AD, NoPrep, &AutoSource::new(), &x).unwrap();
    let curved = hessian(reference::AD, NoPrep, &AutoSource::new(), &x).unwrap();
    for backend in [AutoSource::new(), AutoSource::new().forward()] {
        let g = gradient(program::AD, NoPrep, &backend, &x).unwrap();
        assert_close("gradient", &g, &expected, ROUNDING);
    }
    let g = gradient(program::AD, NoPrep, &AutoDual::new(), &x).unwrap();
    assert_close("gradient by duals", &g, &expected, ROUNDING);
    for h in [
        hessian(program::AD, NoPrep, &AutoSource::new(), &x).unwrap(),
        hessian(program::AD, NoPrep, &AutoDual::new(), &x).unwrap(),
    ] {
        let rows = |h: &ndarray::Array2<f64>| h.iter().copied().collect::<Vec<_>>();
        assert_close("hessian", &rows(&h), &rows(&curved), ROUNDING);
    }
}

#[test]
fn handles_of_rules_are_functions() {
    let (dx, dy) = gradient(power::AD, NoPrep, &AutoSource::new(), &(2.0, 3.0)).unwrap();
    assert_close("power", &[dx, dy], &[12.0, 8.0 * 2.0_f64.ln()], ROUNDING);
    let prep = prepare_derivative(steps::AD, &AutoDual::new(), &0.0).unwrap();
    assert_eq!(
        derivative(steps::AD, &prep, &AutoDual::new(), &0.25).unwrap(),
        1.0
    );
}
