#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let items = x.iter();
    let held = [items];
    x[0] * x[0]
}

fn main() {}

// row 53 refused
