#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.reverse();
    v[0] * v[1]
}

fn main() {}

// row 40 later: `reverse`, sorting
