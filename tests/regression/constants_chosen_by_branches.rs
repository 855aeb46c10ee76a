//! A constant that a branch on inputs chooses is a set in pattern code: handed to a loop of a checkpoint or to a
//! parameter marked constant, the generated code did not compile.

use di::Error;
use di::prelude::*;
use di::sparse::{Tracing, hessian_pattern};
use di_test::scalar;

#[differentiable]
fn revolved(x: &[f64]) -> f64 {
    let mut b = x[0];
    let v = if x[1] > b { -0.95 } else { 0.5 };
    #[ad(revolve = 2)]
    for i in 0..4 {
        b = (b * 0.8 + x[i % 2] * v).sin();
    }
    b * b
}

#[differentiable]
fn payload(x: &[f64]) -> f64 {
    let mut b = x[0];
    let o = if x[1] > b { Some(-0.95) } else { None };
    if let Some(v) = o {
        #[ad(checkpoint)]
        for i in 0..4 {
            b = (b * 0.8 + x[i % 2] * v).sin();
        }
    }
    b * b
}

#[differentiable]
fn elements(x: &[f64]) -> f64 {
    let mut v = [0.5, 0.25];
    if x[1] > x[0] {
        v[0] = -0.95;
    }
    let (mut b, mut w) = (x[0], v);
    #[ad(checkpoint)]
    for i in 0..4 {
        b = (b * 0.8 + x[i % 2] * v[i % 2] + w[i % 2]).sin();
        w[i % 2] *= 0.9;
    }
    b
}

#[differentiable]
fn scaled(x: f64, #[constant] k: f64) -> f64 {
    x * x * k
}

#[differentiable]
fn handed(x: &[f64]) -> f64 {
    let v = if x[1] > x[0] { -0.95 } else { 0.5 };
    scaled(x[0], v) + scaled(x[1], 2.0)
}

#[test]
fn constants_that_inputs_choose_are_handed_over() {
    let points: [&[f64]; 2] = [&[0.5, 0.7], &[0.9, -0.3]];
    scalar!(revolved).check(&points);
    scalar!(payload).check(&points);
    scalar!(elements).check(&points);
    scalar!(handed).check(&points);
}

#[test]
fn patterns_know_what_is_chosen() {
    // a callee that has to know it is told about in words
    let unknown = hessian_pattern(handed::AD, &Tracing::global(), &[0.5; 2]);
    assert!(matches!(unknown, Err(Error::MissingPrimal { .. })));
    let local = hessian_pattern(handed::AD, &Tracing::local(), &[0.5, 0.7]).unwrap();
    assert_eq!(local.entries().collect::<Vec<_>>(), [(0, 0), (1, 1)]);
    let global = hessian_pattern(revolved::AD, &Tracing::global(), &[0.5; 2]).unwrap();
    assert_eq!(global.entries().count(), 4);
}
