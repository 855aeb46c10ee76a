#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let (a, ..) = (x, x, x);
    a * x
}

fn main() {}
