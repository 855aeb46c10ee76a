//! `a.value(x)` means the method of the type, which has no derivative code, and not that of the trait.

#![allow(warnings)]

use di::differentiable;

#[derive(Clone, Copy, di::Differentiable)]
struct A {
    k: f64,
}

impl A {
    fn value(&self, x: f64) -> f64 {
        7.0 * self.k * x
    }
}

trait Value {
    fn value(&self, x: f64) -> f64;
}

#[differentiable]
impl Value for A {
    fn value(&self, x: f64) -> f64 {
        self.k * x
    }
}

#[differentiable]
fn f(k: f64, x: f64) -> f64 {
    let a = A { k };
    a.value(x)
}

fn main() {}
