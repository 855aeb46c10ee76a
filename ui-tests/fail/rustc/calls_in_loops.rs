//! Wrong calls in loops over structs, whose number of trips reverse code keeps.

use di::{Differentiable, differentiable};

#[derive(Clone, Copy, Differentiable)]
struct Point {
    a: f64,
    b: f64,
}

#[differentiable]
impl Point {
    fn norm(&self) -> f64 {
        self.a * self.a + self.b * self.b
    }
}

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn too_many(p: &[Point]) -> f64 {
    let mut s = 0.0;
    for q in p {
        s += q.norm(2.0);
    }
    s
}

#[differentiable]
fn unknown(p: &[Point]) -> f64 {
    p.iter().map(|q| q.length()).sum()
}

#[differentiable]
fn argument(p: &[Point]) -> f64 {
    let mut s = 0.0;
    for q in p {
        s += square(q);
    }
    s
}

fn main() {}
