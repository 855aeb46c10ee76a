//! A simulation: Runge-Kutta steps through helper functions with `&mut` arguments, compared with its closed form.

use di::prelude::*;
use di_test::compare::{Tolerance, assert_close};
use di_test::scalar;

/// The right side of `y'' = -k y`.
#[differentiable]
fn right_side(y: &[f64; 2], k: f64, dy: &mut [f64; 2]) {
    dy[0] = y[1];
    dy[1] = -k * y[0];
}

/// One classical Runge-Kutta step, in place.
#[differentiable]
fn step(y: &mut [f64; 2], k: f64, h: f64) {
    let mut sum = [0.0; 2];
    let mut stage = [y[0], y[1]];
    for s in 0..4 {
        let mut dy = [0.0; 2];
        right_side(&stage, k, &mut dy);
        let weight = if s == 0 || s == 3 { 1.0 } else { 2.0 };
        let ahead = if s == 2 { h } else { 0.5 * h };
        for i in 0..2 {
            sum[i] += weight * dy[i];
            stage[i] = y[i] + ahead * dy[i];
        }
    }
    for i in 0..2 {
        y[i] += h / 6.0 * sum[i];
    }
}

/// Position after one unit of time; `x` is (position, speed, stiffness) at the start.
#[differentiable]
fn position(x: &[f64], steps: usize) -> f64 {
    let mut y = [x[0], x[1]];
    let h = 1.0 / steps as f64;
    for _ in 0..steps {
        step(&mut y, x[2], h);
    }
    y[0]
}

const X: [f64; 3] = [1.5, -0.5, 2.0];

#[test]
fn simulation_is_differentiated() {
    scalar!(position::AD.with(7), |x| position(x, 7))
        .step(0.05)
        .check(&[&X]);
}

#[test]
fn gradient_is_that_of_the_solution() {
    let [y, v, k] = X;
    let w = k.sqrt();
    let (s, c) = w.sin_cos();
    // y cos(w) + v sin(w) / w
    let by_w = -y * s + v * (c * w - s) / (w * w);
    let expected = [c, s / w, by_w / (2.0 * w)];
    let g = gradient(position::AD.with(200), NoPrep, &AutoSource::new(), &X[..]).unwrap();
    let tolerance = Tolerance {
        relative: 1e-9,
        absolute: 1e-10,
    };
    assert_close("gradient", &g, &expected, tolerance);
}
