#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> &[f64] {
    &x[1..]
}

fn main() {}

// row 108 later
