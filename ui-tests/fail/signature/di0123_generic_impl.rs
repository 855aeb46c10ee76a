#![allow(warnings)]

use di::differentiable;

struct Scaled<T> {
    by: T,
}

#[differentiable]
impl<T> Scaled<T> {
    fn apply(&self, x: f64) -> f64 {
        x * x
    }
}

fn main() {}
