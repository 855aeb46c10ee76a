//! Engines from outside, against closed forms.

#![allow(
    missing_docs,
    unreachable_pub,
    elided_lifetimes_in_paths,
    clippy::unwrap_used,
    clippy::wildcard_imports,
    reason = "it stands for a crate of somebody else"
)]

use di::prelude::*;
use di_test::compare::{Tolerance, assert_close};
use foreign_engines::forward::AutoPair;
use foreign_engines::reverse::AutoTaped;
use foreign_engines::steps::AutoSteps;

#[differentiable]
fn f(x: &[f64], #[constant] k: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += if x[i] > 0.0 {
            k * x[i].powf(1.5)
        } else {
            x[i].exp() * x[0]
        };
    }
    sum
}

fn gradient_of_f(x: &[f64], k: f64) -> Vec<f64> {
    let mut g = vec![0.0; x.len()];
    for i in 0..x.len() {
        if x[i] > 0.0 {
            g[i] += 1.5 * k * x[i].sqrt();
        } else {
            g[i] += x[i].exp() * x[0];
            g[0] += x[i].exp();
        }
    }
    g
}

#[differentiable]
fn swap(x: &[f64], #[cache] t: &mut [f64], y: &mut [f64]) {
    t[0] = x[0] * x[1];
    y[0] = t[0] / x[0];
    y[1] = t[0] * x[0];
}

#[track_caller]
fn close(found: &[f64], expected: &[f64], tolerance: f64) {
    let tolerance = Tolerance {
        relative: tolerance,
        absolute: tolerance,
    };
    assert_close("engines", found, expected, tolerance);
}

macro_rules! first_order {
    ($backend:expr, $tolerance:expr) => {{
        let (b, tolerance) = ($backend, $tolerance);
        for n in 1..8 {
            let x: Vec<f64> = (0..n).map(|i| (2.1 * i as f64 + 0.5).sin()).collect();
            let prep = prepare_gradient(f::AD.with(0.0), &b, &vec![0.1; n]).unwrap();
            let (y, g) = value_and_gradient(f::AD.with(2.0), &prep, &b, &x).unwrap();
            assert_eq!(y, f(&x, 2.0));
            close(&g, &gradient_of_f(&x, 2.0), tolerance);
            let [back] = pullback(f::AD.with(2.0), NoPrep, &b, &x, &[1.0]).unwrap();
            close(&back, &g, 1e-15);
        }
        let (x, t) = ([2.0, 3.0], [0.0]);
        let mut y = [0.0; 2];
        let j = jacobian(swap::AD.with(&t).output(&mut y), NoPrep, &b, &x).unwrap();
        close(j.as_slice(), &[0.0, 1.0, 12.0, 4.0], tolerance);
        assert_eq!(y, [3.0, 12.0]);
    }};
}

macro_rules! second_order {
    ($backend:expr) => {{
        let b = $backend;
        let h = hessian(f::AD.with(2.0), NoPrep, &b, &[0.25, -1.0]).unwrap();
        let e = (-1.0_f64).exp();
        close(h.as_slice(), &[3.0, e, e, 0.25 * e], 1e-14);
    }};
}

#[test]
fn dual_numbers() {
    first_order!(AutoPair::new(), 1e-14);
    second_order!(AutoPair::new());
    second_order!(SecondOrder::new(AutoPair::new(), AutoSource::new()));
}

#[test]
fn tape() {
    first_order!(AutoTaped::new(), 1e-14);
    second_order!(AutoTaped::new());
    second_order!(SecondOrder::new(AutoTaped::new(), AutoSource::new()));
}

#[test]
fn backend_with_one_primitive() {
    first_order!(AutoSteps(1e-8), 1e-6);
    let refused = hessian(f::AD.with(2.0), NoPrep, &AutoSteps(1e-8), &[1.0]).unwrap_err();
    assert!(refused.to_string().contains("AutoSteps"));
}
