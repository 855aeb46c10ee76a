//! Special functions of slices, as custom rules.

use di_macros::{custom_rule, differentiable};

/// Logarithm of the sum of exponentials, without overflow; minus infinity if there are none.
#[custom_rule(crate = crate, tangent = log_sum_exp_tangent, adjoint = log_sum_exp_adjoint)]
pub fn log_sum_exp(x: &[f64]) -> f64 {
    let top = top(x);
    if top.is_infinite() {
        return top;
    }
    let sum: f64 = x.iter().map(|x| (x - top).exp()).sum();
    top + sum.ln()
}

#[differentiable(crate = crate)]
fn log_sum_exp_tangent(x: &[f64], y: f64, dx: &[f64]) -> f64 {
    let mut dy = 0.0;
    for i in 0..x.len() {
        dy += (x[i] - y).exp() * dx[i];
    }
    dy
}

#[differentiable(crate = crate)]
fn log_sum_exp_adjoint(x: &[f64], y: f64, yb: f64, xb: &mut [f64]) {
    for i in 0..x.len() {
        xb[i] += (x[i] - y).exp() * yb;
    }
}

/// `y[i] = exp(x[i]) / sum exp(x)`, without overflow.
///
/// # Panics
/// If the lengths differ.
#[custom_rule(crate = crate, tangent = softmax_tangent, adjoint = softmax_adjoint)]
pub fn softmax(x: &[f64], y: &mut [f64]) {
    check_lengths(x, y);
    let top = top(x);
    let mut sum = 0.0;
    for (y, x) in y.iter_mut().zip(x) {
        *y = (x - top).exp();
        sum += *y;
    }
    for y in y {
        *y /= sum;
    }
}

#[differentiable(crate = crate)]
fn softmax_tangent(x: &[f64], y: &[f64], dx: &[f64], dy: &mut [f64]) {
    let mut mean = 0.0;
    for i in 0..x.len() {
        mean += y[i] * dx[i];
    }
    for i in 0..x.len() {
        dy[i] = y[i] * (dx[i] - mean);
    }
}

#[differentiable(crate = crate)]
fn softmax_adjoint(x: &[f64], y: &[f64], yb: &[f64], xb: &mut [f64]) {
    let mut mean = 0.0;
    for i in 0..x.len() {
        mean += y[i] * yb[i];
    }
    for i in 0..x.len() {
        xb[i] += y[i] * (yb[i] - mean);
    }
}

/// `y[i] = x[i] - log_sum_exp(x)`, the logarithm of [`softmax`].
///
/// # Panics
/// If the lengths differ.
#[custom_rule(crate = crate, tangent = log_softmax_tangent, adjoint = log_softmax_adjoint)]
pub fn log_softmax(x: &[f64], y: &mut [f64]) {
    check_lengths(x, y);
    let sum = log_sum_exp(x);
    for (y, x) in y.iter_mut().zip(x) {
        *y = x - sum;
    }
}

#[differentiable(crate = crate)]
fn log_softmax_tangent(x: &[f64], y: &[f64], dx: &[f64], dy: &mut [f64]) {
    let mut mean = 0.0;
    for i in 0..x.len() {
        mean += y[i].exp() * dx[i];
    }
    for i in 0..x.len() {
        dy[i] = dx[i] - mean;
    }
}

#[differentiable(crate = crate)]
fn log_softmax_adjoint(x: &[f64], y: &[f64], yb: &[f64], xb: &mut [f64]) {
    let sum: f64 = yb.iter().sum();
    for i in 0..x.len() {
        xb[i] += yb[i] - y[i].exp() * sum;
    }
}

fn top(x: &[f64]) -> f64 {
    x.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b))
}

fn check_lengths(x: &[f64], y: &[f64]) {
    assert!(
        x.len() == y.len(),
        "{} numbers do not go to a slice of {}",
        x.len(),
        y.len()
    );
}
