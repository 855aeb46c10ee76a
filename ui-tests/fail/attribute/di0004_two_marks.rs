#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64], #[constant] #[cache] work: &mut [f64]) -> f64 {
    x[0] * x[0]
}

fn main() {}
