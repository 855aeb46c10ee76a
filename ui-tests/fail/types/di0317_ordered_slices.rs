#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64], y: &[f64]) -> f64 {
    if x < y { x[0] } else { y[0] }
}

fn main() {}
