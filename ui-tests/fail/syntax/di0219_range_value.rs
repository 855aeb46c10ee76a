#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let r = (0..2, 1);
    x[0] * x[1]
}

fn main() {}
