#![allow(warnings)]

use di::differentiable;

#[differentiable]
unsafe fn f(x: f64) -> f64 {
    x * x
}

fn main() {}

// row 153 refused: `unsafe fn`
