#![allow(warnings)]

use di::differentiable;

#[differentiable]
extern "C" fn f(x: f64) -> f64 {
    x * x
}

fn main() {}

// row 153 refused: `extern fn`
