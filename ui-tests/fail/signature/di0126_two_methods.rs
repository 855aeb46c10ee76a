#![allow(warnings)]

use di::differentiable;

#[derive(Clone, Copy, di::Differentiable)]
struct Spring {
    k: f64,
}

trait Energy {
    fn energy(&self, x: f64) -> f64;
}

#[differentiable]
impl Spring {
    fn energy(&self, x: f64) -> f64 {
        0.5 * self.k * x * x
    }
}

#[differentiable]
impl Energy for Spring {
    fn energy(&self, x: f64) -> f64 {
        Spring::energy(self, x)
    }
}

fn main() {}
