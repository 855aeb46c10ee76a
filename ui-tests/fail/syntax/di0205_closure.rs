#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let both = (|t: f64| t * t, x);
    both.1
}

fn main() {}
// row 87 refused: stored
