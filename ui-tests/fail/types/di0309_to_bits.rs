#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let bits = x.to_bits();
    x * x
}

fn main() {}

// row 100 refused
