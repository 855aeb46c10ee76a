#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let g = |t: f64| t * t;
    let list = [g];
    x[0]
}

fn main() {}

// row 87 refused: passed on
