//! What is no `Option`, no number and no value of a function.

use di::{Differentiable, differentiable};

#[derive(Clone, Copy, Differentiable)]
struct Params {
    a: f64,
    w: [f64; 3],
    #[constant]
    n: usize,
}

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
impl Params {
    fn norm(&self) -> f64 {
        self.a * self.a
    }
}

#[differentiable]
fn no_option(x: f64) -> f64 {
    x.unwrap()
}

#[differentiable]
fn an_option(x: &[f64]) -> f64 {
    x.iter().position(|v| *v > 1.0)
}

#[differentiable]
fn a_closure(x: f64) -> f64 {
    square(|t: f64| t)
}

#[differentiable]
fn not_returned(p: &mut Params) {
    p.norm()
}

#[differentiable]
fn structs_compared(p: &Params, q: &Params) -> f64 {
    assert!(p == q);
    p.a
}

fn main() {}
