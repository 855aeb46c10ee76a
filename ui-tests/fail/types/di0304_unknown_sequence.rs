#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn pair(x: f64) -> [f64; 2] {
    [x, x * x]
}

#[differentiable]
fn f(x: f64) -> f64 {
    let v = pair(x);
    v[0] * v[1]
}

fn main() {}
