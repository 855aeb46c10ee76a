#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut t = (x, 1.0);
    let first = std::mem::replace(&mut t.0, &x[1..]);
    first[0] * t.0[0]
}

fn main() {}

// row 41 later: references in tuples
