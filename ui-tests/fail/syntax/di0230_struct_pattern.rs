#![allow(warnings)]

use di::differentiable;

enum Shape {
    Ball { radius: f64 },
}

#[differentiable]
fn f(x: f64, #[constant] shape: &Shape) -> f64 {
    let Shape::Ball { radius } = shape;
    x * radius
}

fn main() {}
