#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x, &x[1..]);
    let r = if x[0] > 0.0 { &mut a } else { &mut b };
    *r = &x[2..];
    a[0] * b[0]
}

fn main() {}

// row 125 refused: references bound anew where a branch says which one
