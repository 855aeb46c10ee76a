#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    #[cfg(debug_assertions)]
    let x = x + 1.0;
    x * x
}

fn main() {}

// row 158 refused
