#![allow(warnings)]

use di::differentiable;

struct Circle {
    r: f64,
}

impl Circle {
    #[differentiable]
    fn area(&self) -> f64 {
        self.r * self.r
    }
}

fn main() {}
