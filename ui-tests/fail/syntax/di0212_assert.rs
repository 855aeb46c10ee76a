#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    assert!(x > 0.0);
    x.sqrt()
}

fn main() {}

// row 134 later
