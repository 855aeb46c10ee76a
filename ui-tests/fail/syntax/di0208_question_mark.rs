#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64, #[constant] text: &str) -> f64 {
    let a: f64 = text.parse()?;
    a * x
}

fn main() {}

// row 78 later
