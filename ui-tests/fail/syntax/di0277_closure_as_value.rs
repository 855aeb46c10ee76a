#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let g = |t: f64| t * t;
    let pair = (g, 1.0);
    x[0]
}

fn main() {}

// row 87 refused: passed on
