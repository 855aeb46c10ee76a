#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn halved(f: &impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    if b - a < 0.1 {
        (b - a) * f(a)
    } else {
        halved(f, a, 0.5 * (a + b)) + halved(&|t| f(0.5 * t), 0.5 * (a + b), b)
    }
}

#[differentiable]
fn area(x: &[f64]) -> f64 {
    halved(&|t| t * x[0], 0.0, x[1])
}

fn main() {}

// row 88 later
// row 89 refused
