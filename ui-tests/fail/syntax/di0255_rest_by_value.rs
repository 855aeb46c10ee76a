#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let [a, rest @ ..] = [(x, 1.0), (x * x, 2.0), (2.0, x)];
    a.0 * rest[0].1
}

fn main() {}

