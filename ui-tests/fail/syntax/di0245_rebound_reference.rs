#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut rest = x;
    rest = &x[1..];
    rest[0] * x[0]
}

fn main() {}

// row 125 later: references bound anew
