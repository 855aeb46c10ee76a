#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let (a, ..) = g(x);
    a * x
}

fn main() {}
