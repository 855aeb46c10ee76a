//! `if` and `else`, as statement and as value.

use di::prelude::*;
use di_test::{inplace, scalar};

const SIDES: [&[f64]; 3] = [&[0.7, 1.1], &[-1.2, 0.4], &[-0.5, -0.9]];

#[differentiable]
fn if_statement(x: &[f64]) -> f64 {
    let mut y = x[0] * x[1];
    if x[0] > 0.0 {
        y = y.exp() + x[0];
    }
    y * y
}

#[test]
fn if_without_else() {
    scalar!(if_statement).row(54).step(0.05).check(&SIDES);
}

#[differentiable]
fn else_if(x: &[f64]) -> f64 {
    let mut y = x[0];
    if x[0] > 0.0 {
        y *= x[1];
    } else if x[1] > 0.0 {
        y += x[1] * x[1];
        y *= 3.0;
    } else {
        y = x[1].sin();
    }
    y + x[0] * y
}

#[test]
fn chain_of_conditions() {
    scalar!(else_if).row(56).step(0.05).check(&SIDES);
}

#[differentiable]
fn if_value(x: &[f64]) -> f64 {
    let y = if x[0] * x[1] > 0.0 { x[0] } else { x[1] * x[1] };
    y * if x[1] > 0.0 {
        let t = y.exp();
        t * t
    } else {
        2.0
    }
}

#[test]
fn if_as_value() {
    scalar!(if_value).rows(&[10, 55]).step(0.05).check(&SIDES);
}

#[differentiable]
fn if_tuple(x: &[f64]) -> f64 {
    let (a, b, k) = if x[0] > x[1] {
        (x[0], x[1], 2)
    } else {
        (x[1] * x[1], 1.0, 3)
    };
    a * b * b + a.powi(k)
}

#[test]
fn if_whose_value_is_a_tuple() {
    scalar!(if_tuple)
        .rows(&[55, 19])
        .step(0.05)
        .check(&[&[1.2, 0.3], &[0.3, 1.2]]);
}

#[differentiable]
fn passive_condition(x: &[f64], fast: bool, n: usize) -> f64 {
    let mut y = x[0];
    if fast && n > 2 {
        y = y * x[1];
    } else {
        for _ in 0..n {
            y = y * y + x[1];
        }
    }
    y
}

#[test]
fn conditions_on_passive_values() {
    for (fast, n) in [(true, 3), (true, 1), (false, 2)] {
        scalar!(passive_condition::AD.with(fast, n), |x| passive_condition(
            x, fast, n
        ))
        .row(54)
        .check(&SIDES);
    }
}

#[differentiable]
fn store_on_one_side(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = x[i];
        if x[i] > 0.0 {
            y[i] = y[i] * y[i];
            y[0] += x[i].sin();
        }
    }
}

#[test]
fn stores_on_one_side_only() {
    inplace!(store_on_one_side, 2)
        .rows(&[54, 156])
        .step(0.05)
        .check(&SIDES);
}

#[differentiable]
fn guarded_root(x: &[f64]) -> f64 {
    let s = x[0] * x[0] + x[1] * x[1];
    let length = s.sqrt();
    if length < 1e-3 { 0.0 } else { x[0] / length }
}

#[test]
fn guard_after_a_singular_operation() {
    scalar!(guarded_root).step(0.05).check(&SIDES);
    // On the guarded side nothing contributes to the adjoint of the root, whose slope is infinite.
    let g = gradient(
        guarded_root::AD,
        NoPrep,
        &AutoSource::new(),
        &[0.0, 0.0][..],
    )
    .unwrap();
    assert_eq!(g, [0.0, 0.0]);
}

#[differentiable]
fn lazy_conditions(x: &[f64]) -> f64 {
    let n = x.len();
    if n > 2 && x[2] > 0.0 || x[0] > 1.0 {
        x[0] * x[n - 1]
    } else {
        x[1] * x[1]
    }
}

#[test]
fn conditions_that_stop_early() {
    let points: [&[f64]; 4] = [
        &[0.7, 1.1],
        &[1.7, 1.1],
        &[0.5, 1.1, 2.0],
        &[0.5, 1.1, -2.0],
    ];
    scalar!(lazy_conditions).row(57).step(0.05).check(&points);
}
