#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let g: fn(f64) -> f64 = f64::sin;
    x * x
}

fn main() {}
