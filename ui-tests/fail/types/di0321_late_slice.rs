#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let v;
    v = x;
    v[0] * v[1]
}

fn main() {}
