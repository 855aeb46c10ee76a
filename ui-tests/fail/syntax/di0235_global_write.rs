#![allow(warnings)]

use di::differentiable;

static mut COUNT: usize = 0;

#[differentiable]
fn f(x: f64) -> f64 {
    COUNT = 1;
    x * x
}

fn main() {}

// row 103 refused
