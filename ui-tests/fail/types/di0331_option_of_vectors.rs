#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut kept: Option<Vec<f64>> = None;
    x[0] * x[0]
}

fn main() {}
