//! Functions whose derivatives are given by their author, called from annotated code, under every engine.

use di::prelude::*;
use di::{AutoFiniteDiff, custom_rule};
use di_test::compare::{ROUNDING, assert_close};
use di_test::{inplace, scalar};
use std::sync::atomic::{AtomicUsize, Ordering};

static RUNS: AtomicUsize = AtomicUsize::new(0);

#[differentiable]
fn slope(x: f64) -> f64 {
    1.0 + 0.0 * x
}

/// Steps, differentiated as the line behind them: not the function's own derivative.
#[custom_rule(partials(slope))]
fn steps(x: f64) -> f64 {
    RUNS.fetch_add(1, Ordering::Relaxed);
    (x * 1000.0).floor() / 1000.0
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

// ---- partial derivatives ----

#[differentiable]
fn by_base(x: f64, #[constant] scale: f64, y: f64, #[constant] n: i32) -> f64 {
    scale * y * x.powf(y - 1.0) + f64::from(n)
}

#[differentiable]
fn by_exponent(x: f64, #[constant] scale: f64, y: f64, #[constant] _n: i32) -> f64 {
    scale * x.powf(y) * x.ln()
}

/// `scale x^y + n x`, with constants between the numbers.
#[custom_rule(partials(by_base, by_exponent))]
fn power(x: f64, #[constant] scale: f64, y: f64, #[constant] n: i32) -> f64 {
    scale * x.powf(y) + f64::from(n) * x
}

#[differentiable]
fn program(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += power(x[i], 1.5, 1.0 + x[i], i as i32) * x[0];
    }
    s + power(2.0, 1.0, x[0], 3) + power(x[1], 0.5, 3.0, 0)
}

#[test]
fn partial_derivatives_of_numbers() {
    scalar!(program)
        .row(110)
        .check(&[&[0.7, 1.3, 2.1], &[1.0, 0.6]]);
}

#[test]
fn handles_of_rules_are_functions() {
    let f = power::AD.with(1.0, 0);
    let (dx, dy) = gradient(f, NoPrep, &AutoSource::new(), &(2.0, 3.0)).unwrap();
    assert_close("power", &[dx, dy], &[12.0, 8.0 * 2.0_f64.ln()], ROUNDING);
    let prep = prepare_derivative(steps::AD, &AutoDual::new(), &0.0).unwrap();
    let dy = derivative(steps::AD, &prep, &AutoDual::new(), &0.25).unwrap();
    assert_eq!(dy, 1.0);
}

// ---- tangents and adjoints of slices ----

#[differentiable]
fn norm_tangent(x: &[f64], #[constant] floor: f64, y: f64, dx: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * dx[i];
    }
    s / (y + 0.0 * floor)
}

#[differentiable]
fn norm_adjoint(x: &[f64], #[constant] floor: f64, y: f64, yb: f64, xb: &mut [f64]) {
    let scale = yb / (y + 0.0 * floor);
    for i in 0..x.len() {
        xb[i] += scale * x[i];
    }
}

/// By a function of tangents alone.
#[custom_rule(tangent = norm_tangent)]
fn norm_t(x: &[f64], #[constant] floor: f64) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt().max(floor)
}

/// By one of adjoints alone.
#[custom_rule(adjoint = norm_adjoint)]
fn norm_a(x: &[f64], #[constant] floor: f64) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt().max(floor)
}

/// By both.
#[custom_rule(tangent = norm_tangent, adjoint = norm_adjoint)]
fn norm(x: &[f64], #[constant] floor: f64) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt().max(floor)
}

#[differentiable]
fn by_tangent(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in 0..x.len() {
        s *= norm_t(&x[i..], 1e-3) + x[i];
    }
    s + norm_t(&[3.0, 4.0], 0.0)
}

#[differentiable]
fn by_adjoint(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in 0..x.len() {
        s *= norm_a(&x[i..], 1e-3) + x[i];
    }
    s + norm_a(&[3.0, 4.0], 0.0)
}

#[differentiable]
fn by_both(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in 0..x.len() {
        if x[i] > 0.0 {
            s *= norm(&x[i..], 1e-3) + x[i];
        }
    }
    s + norm(&[3.0, 4.0], 0.0)
}

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, -0.4], &[-1.2, 0.4, 0.9, 2.0], &[0.8]];

#[test]
fn slices_to_a_number() {
    scalar!(by_tangent).row(110).check(&POINTS);
    scalar!(by_adjoint).row(110).check(&POINTS);
    scalar!(by_both).row(110).check(&POINTS);
}

// ---- several arguments, several results ----

#[differentiable]
fn fit_tangent(
    a: f64,
    x: &[f64; 3],
    b: f64,
    _mean: f64,
    spread: f64,
    da: f64,
    dx: &[f64; 3],
    db: f64,
) -> (f64, f64) {
    let m = (dx[0] + dx[1] + dx[2]) / 3.0;
    let mut s = 0.0;
    for i in 0..3 {
        s += x[i] * dx[i];
    }
    (da * b + a * db + m, da * spread / a + 2.0 * a * s)
}

#[differentiable]
fn fit_adjoint(
    a: f64,
    x: &[f64; 3],
    b: f64,
    _mean: f64,
    spread: f64,
    meanb: f64,
    spreadb: f64,
    xb: &mut [f64; 3],
) -> (f64, f64) {
    for i in 0..3 {
        xb[i] += meanb / 3.0 + 2.0 * a * x[i] * spreadb;
    }
    (b * meanb + spread / a * spreadb, a * meanb)
}

/// `(a b + mean x, a sum x^2)`
#[custom_rule(tangent = fit_tangent, adjoint = fit_adjoint)]
fn fit(a: f64, x: &[f64; 3], b: f64) -> (f64, f64) {
    let s = x.iter().map(|x| x * x).sum::<f64>();
    (a * b + x.iter().sum::<f64>() / 3.0, a * s)
}

#[custom_rule(tangent = fit_tangent)]
fn fit_t(a: f64, x: &[f64; 3], b: f64) -> (f64, f64) {
    let s = x.iter().map(|x| x * x).sum::<f64>();
    (a * b + x.iter().sum::<f64>() / 3.0, a * s)
}

#[custom_rule(adjoint = fit_adjoint)]
fn fit_a(a: f64, x: &[f64; 3], b: f64) -> (f64, f64) {
    let s = x.iter().map(|x| x * x).sum::<f64>();
    (a * b + x.iter().sum::<f64>() / 3.0, a * s)
}

#[differentiable]
fn several(x: &[f64]) -> f64 {
    let three = [x[0], x[1] * x[0], x[2]];
    let fixed = [1.0, -2.0, 0.5];
    let (m, s) = fit(x[0], &three, x[1]);
    let (p, q) = fit_t(s, &three, 2.0);
    let (u, v) = fit_a(2.5, &three, x[2]);
    let (k, l) = fit(x[0], &fixed, 1.0);
    let (i, j) = fit_a(x[1], &fixed, m);
    m * s + p * x[2] + q + u * v + k * l + i * j
}

#[test]
fn numbers_and_arrays_to_a_tuple() {
    scalar!(several)
        .row(110)
        .check(&[&[0.7, 1.1, -0.4], &[-1.2, 0.4, 0.9]]);
}

// ---- results that are written to ----

#[differentiable]
fn softmax_tangent(x: &[f64], y: &[f64], dx: &[f64], dy: &mut [f64]) {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += y[i] * dx[i];
    }
    for i in 0..x.len() {
        dy[i] = y[i] * (dx[i] - s);
    }
}

#[differentiable]
fn softmax_adjoint(x: &[f64], y: &[f64], yb: &[f64], xb: &mut [f64]) {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += y[i] * yb[i];
    }
    for i in 0..x.len() {
        xb[i] += y[i] * (yb[i] - s);
    }
}

fn softmax_value(x: &[f64], y: &mut [f64]) {
    let top = x.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
    let sum: f64 = x.iter().map(|x| (x - top).exp()).sum();
    for (y, x) in y.iter_mut().zip(x) {
        *y = (x - top).exp() / sum;
    }
}

#[custom_rule(tangent = softmax_tangent)]
fn softmax_t(x: &[f64], y: &mut [f64]) {
    softmax_value(x, y);
}

#[custom_rule(adjoint = softmax_adjoint)]
fn softmax_a(y: &mut [f64], x: &[f64]) {
    softmax_value(x, y);
}

#[custom_rule(tangent = softmax_tangent, adjoint = softmax_adjoint)]
fn softmax(x: &[f64], y: &mut [f64]) {
    softmax_value(x, y);
}

#[differentiable]
fn written(x: &[f64], y: &mut [f64]) {
    let mut a = vec![5.0; 3];
    softmax_t(x, &mut a);
    let mut b = vec![0.0; 3];
    for k in 0..2 {
        softmax_a(&mut b, &a);
        a[k] *= b[1] + x[k];
    }
    softmax(&b, y);
    y[1] *= a[0];
    a[2] = 0.0;
}

#[test]
fn slices_to_a_slice() {
    inplace!(written, 3)
        .row(110)
        .check(&[&[0.7, 1.1, -0.4], &[-1.2, 0.4, 0.9]]);
    let f = softmax_t::AD;
    let x = [0.3, -0.2, 1.0];
    let mut y = [7.0; 3];
    let j = jacobian(f.output(&mut y), NoPrep, &AutoSource::new(), &x).unwrap();
    let mut y = [7.0; 3];
    let k = jacobian(
        softmax_a::AD.output(&mut y),
        NoPrep,
        &AutoFiniteDiff::new(),
        &x,
    )
    .unwrap();
    assert_close(
        "softmax",
        j.as_slice(),
        k.as_slice(),
        di_test::compare::DIFFERENCES,
    );
}

// ---- borrowed data and models as constants ----

struct Table {
    knots: Vec<f64>,
}

#[differentiable]
fn table_slope(x: f64, #[constant] table: &Table, #[constant] _name: &str) -> f64 {
    let n: usize = passive(table.knots.len());
    2.0 * x * n as f64
}

#[custom_rule(partials(table_slope))]
fn look_up(x: f64, #[constant] table: &Table, #[constant] _name: &str) -> f64 {
    x * x * table.knots.len() as f64
}

#[differentiable]
fn with_table(x: &[f64], #[constant] table: &Table) -> f64 {
    look_up(x[0], table, "a") * x[1]
}

#[test]
fn constants_of_any_type() {
    let table = Table {
        knots: vec![0.0; 4],
    };
    for g in [
        gradient(
            with_table::AD.with(&table),
            NoPrep,
            &AutoSource::new(),
            &[3.0, 2.0],
        ),
        gradient(
            with_table::AD.with(&table),
            NoPrep,
            &AutoDual::new(),
            &[3.0, 2.0],
        ),
    ] {
        assert_eq!(g.unwrap(), [48.0, 36.0]);
    }
}
