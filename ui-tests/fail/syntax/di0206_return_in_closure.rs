#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    x.iter().map(|v| { return v * v; }).sum()
}

fn main() {}

// row 46 refused: `return` in a closure
