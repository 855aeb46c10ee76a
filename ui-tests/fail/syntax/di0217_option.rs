#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let y: Option<f64> = Option::default();
    x[0] * x[0]
}

fn main() {}
