#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let a = unsafe { *x.get_unchecked(0) };
    a * a
}

fn main() {}

// row 129 refused: `unsafe` blocks
