use di::prelude::*;
use di::{custom_rule, implicit};

#[differentiable]
fn slope(x: f64) -> f64 {
    x.cos()
}

#[custom_rule(partials(slope))]
fn sine(x: f64, #[constant] k: i32) -> f64 {
    x.sin() * f64::from(k)
}

#[differentiable]
fn exp_tangent(x: &[f64], dx: &[f64], dy: &mut [f64]) {
    for i in 0..x.len() {
        dy[i] = dx[i] * x[i].exp();
    }
}

#[custom_rule(tangent = exp_tangent)]
fn exp(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = x[i].exp();
    }
}

fn one(_: f64) -> f64 {
    1.0
}

#[custom_rule(partials(one))]
fn same(x: f64) -> f64 {
    x
}

#[differentiable]
fn residual(y: f64, p: f64) -> f64 {
    y - p
}

#[implicit(root = residual)]
fn root(p: f64, guess: f64) -> f64 {
    p + 0.0 * guess
}

fn main() {}
