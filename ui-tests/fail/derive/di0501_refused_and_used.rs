//! What is made of a struct that is refused has no messages of its own.

use di::{Differentiable, differentiable};

#[derive(Differentiable)]
struct Shape;

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
    Outer { scale: x, shape: Shape }
}

#[differentiable]
impl Shape {
    fn area(&self) -> f64 {
        1.0
    }
}

fn main() {}
