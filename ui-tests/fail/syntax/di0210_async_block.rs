#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let later = async { x * x };
    x
}

fn main() {}

// row 131 refused: `async` blocks
