#![allow(warnings)]

use di::differentiable;

struct Circle {
    r: f64,
}

impl Circle {
    #[differentiable]
    fn unit(r: f64) -> Self {
        Self { r: r / r }
    }
}

fn main() {}
