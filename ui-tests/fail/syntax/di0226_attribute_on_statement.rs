#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    #[cold]
    let y = x + 1.0;
    y * x
}

fn main() {}
