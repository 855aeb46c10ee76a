#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f<const N: usize>(x: [f64; N]) -> f64 {
    x[0] * x[0]
}

fn main() {}

// row 114 later
// row 115 later
// row 116 later
