#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f32) -> f32 {
    x * x
}

fn main() {}

// row 149 later
