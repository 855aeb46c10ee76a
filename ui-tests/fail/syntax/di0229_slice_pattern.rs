#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: [f64; 3]) -> f64 {
    let [a, .., b] = x;
    a * b
}

fn main() {}

// row 6 later: `[first, .., last]`
