#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let w = v.repeat(2);
    v[0] * v[1]
}

fn main() {}
