#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: [f64; 2]) -> f64 {
    let ref y = x;
    y[0] * y[1]
}

fn main() {}

// row 8 later: `ref`
