#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64, #[constant] scale: Option<f64>) -> f64 {
    if let Some(s) = scale { s * x } else { x }
}

fn main() {}

// row 59 later: `if let`
