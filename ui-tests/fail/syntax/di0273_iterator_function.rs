#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    std::iter::once_with(|| x * x).sum()
}

fn main() {}
// row 53 refused
