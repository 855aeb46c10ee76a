#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64, #[constant] g: fn(f64) -> f64) -> f64 {
    g(x)
}

fn main() {}
