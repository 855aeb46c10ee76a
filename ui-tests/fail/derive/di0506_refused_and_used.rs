//! What is made of an enum that is refused has no messages of its own.

use di::{Differentiable, differentiable};

#[derive(Differentiable)]
enum Shape {
    Circle(f64),
    Inner(Box<Shape>),
}

#[derive(Differentiable)]
struct Outer {
    scale: f64,
    shape: Shape,
}

#[derive(Differentiable)]
struct Outermost {
    inner: Outer,
    several: [Shape; 2],
}

#[differentiable]
fn parameter(p: &Shape, q: &Outermost, x: f64) -> f64 {
    q.inner.scale * x
}

#[differentiable]
fn made(x: f64) -> Outer {
    Outer { scale: x, shape: Shape::Circle(x) }
}

#[differentiable]
impl Shape {
    fn area(&self) -> f64 {
        1.0
    }
}

fn main() {}
