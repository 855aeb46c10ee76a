//! What leaves a loop that is not there, and an `if` that has no value where it is false.

use di::differentiable;

#[differentiable]
fn broken(x: f64) -> f64 {
    if x > 1.0 {
        break;
    }
    x * 2.0
}

#[differentiable]
fn one_side(x: f64) -> f64 {
    if x > 1.0 { x * 2.0 }
}

#[differentiable]
fn nothing(x: f64) {
    let y = x * 2.0;
    y
}

fn main() {}
