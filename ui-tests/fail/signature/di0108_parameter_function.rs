#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(g: impl Fn(f64) -> f64, x: f64) -> f64 {
    x * x
}

fn main() {}

// row 88 later
// row 89 refused
