#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    if x < 0.0 {
        panic!("negative");
    }
    x.sqrt()
}

fn main() {}

// row 135 later
