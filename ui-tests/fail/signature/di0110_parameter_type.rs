#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[&[f64]]) -> f64 {
    x[0][0] * x[0][0]
}

fn main() {}

// row 126 later
