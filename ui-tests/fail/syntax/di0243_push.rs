#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let mut v = vec![x];
    v.push(x * x);
    v[1]
}

fn main() {}

// row 37 later
// row 38 later
// row 39 later
