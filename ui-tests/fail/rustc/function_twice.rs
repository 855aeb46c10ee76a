//! Two functions of one name: rustc says so first, and then of what is generated for both.

use di::differentiable;

#[differentiable]
fn twice(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn twice(x: f64) -> f64 {
    x * x
}

fn main() {}
