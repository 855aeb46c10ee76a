#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let v = [(x, 1.0), (2.0, x)];
    x * x
}

fn main() {}
