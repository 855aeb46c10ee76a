#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let (mut a, mut b) = (x, 1.0);
    [a, b] = [b, a];
    a * b
}

fn main() {}
