#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64, #[constant] w: Vec<f64>) -> f64 {
    x * w[0]
}

fn main() {}
