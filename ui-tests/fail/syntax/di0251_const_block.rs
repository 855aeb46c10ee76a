#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let two = const { 1.0 + 1.0 };
    two * x
}

fn main() {}
