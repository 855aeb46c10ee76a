#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut pair = (x, 1.0);
    pair.0 = &x[1..];
    pair.0[0] * x[0]
}

fn main() {}

// row 125 later: references in tuples, bound anew
