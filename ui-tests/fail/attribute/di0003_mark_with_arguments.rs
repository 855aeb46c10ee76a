#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64, #[constant(always)] a: f64) -> f64 {
    a * x
}

fn main() {}
