#![allow(warnings)]

use di::differentiable;

#[derive(di::Differentiable)]
struct P {
    a: f64,
    b: f64,
}

#[differentiable]
fn f(x: f64) -> f64 {
    let (mut a, mut b) = (x, 1.0);
    P { a, b } = P { a: b, b: a };
    a * b
}

fn main() {}
