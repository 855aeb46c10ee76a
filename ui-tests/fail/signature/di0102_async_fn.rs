#![allow(warnings)]

use di::differentiable;

#[differentiable]
async fn f(x: f64) -> f64 {
    x * x
}

fn main() {}

// row 131 refused
