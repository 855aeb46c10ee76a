#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64, #[cfg(debug_assertions)] y: f64) -> f64 {
    x * x
}

fn main() {}
