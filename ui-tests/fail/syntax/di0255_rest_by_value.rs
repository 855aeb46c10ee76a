#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let [a, rest @ ..] = [x, x, 2.0];
    a * rest[0]
}

fn main() {}

