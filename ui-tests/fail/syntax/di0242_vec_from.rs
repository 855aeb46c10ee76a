#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let v: Vec<f64> = Vec::from_iter([x, 1.0]);
    v[0] * x
}

fn main() {}
