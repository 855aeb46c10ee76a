#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64, scale: Option<[f64; 2]>) -> f64 {
    x * x
}

fn main() {}
