#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let [a, .., b] = g(x);
    a * b
}

fn main() {}

