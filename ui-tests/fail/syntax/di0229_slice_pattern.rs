#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn g(x: f64) -> [f64; 3] {
    [x, x, x]
}

#[differentiable]
fn f(x: f64) -> f64 {
    let [a, .., b] = g(x);
    a * b
}

fn main() {}
