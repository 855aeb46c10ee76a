#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &mut Vec<f64>) -> f64 {
    x[0] * x[0]
}

fn main() {}
