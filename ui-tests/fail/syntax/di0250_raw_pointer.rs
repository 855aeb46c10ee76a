#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let p = &raw const x;
    x * x
}

fn main() {}

// row 129 refused: pointers
