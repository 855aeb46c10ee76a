#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64, #[constant] scale: Option<f64>) -> f64 {
    let Some(s) = scale else { return x };
    s * x
}

fn main() {}

// row 9 later
