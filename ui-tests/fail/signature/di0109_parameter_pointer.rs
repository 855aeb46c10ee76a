#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: *const f64, y: f64) -> f64 {
    y * y
}

fn main() {}

// row 129 refused: pointers as parameters
