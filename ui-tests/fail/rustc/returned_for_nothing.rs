//! A value that a function without a result returns.

use di::differentiable;

#[differentiable]
fn element(x: &[f64], y: &mut [f64]) {
    y[0] = x[0];
    return x[0];
}

#[differentiable]
fn variable(x: &[f64], y: &mut [f64]) {
    let total = x[0] + x[1];
    if total > 0.0 {
        return total;
    }
    y[0] = total;
}

fn main() {}
