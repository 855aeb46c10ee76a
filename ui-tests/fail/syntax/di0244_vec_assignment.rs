#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let w = vec![1.0; 2];
    v = w;
    v[0] * x[0]
}

fn main() {}
