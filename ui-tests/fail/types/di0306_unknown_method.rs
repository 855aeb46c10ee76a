#![allow(warnings)]

use di::differentiable;

trait Squared {
    fn squared(self) -> f64;
}

impl Squared for f64 {
    fn squared(self) -> f64 {
        self * self
    }
}

#[differentiable]
fn f(x: f64) -> f64 {
    x.squared()
}

fn main() {}
