#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let square = |t: f64| t * t;
    square(x)
}

fn main() {}

// row 84 later
// row 85 later
// row 86 later
