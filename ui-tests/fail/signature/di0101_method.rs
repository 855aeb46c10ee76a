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

// row 119 later
// row 120 later
// row 121 later
