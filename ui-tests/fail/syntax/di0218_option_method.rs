#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let a = x.first();
    x[0] * x[0]
}

fn main() {}

// row 34 later
