#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let v: Vec<f64> = Vec::new();
    x * x
}

fn main() {}

// row 36 later: `Vec::new`
