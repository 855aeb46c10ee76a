#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let pair: (&[f64], f64);
    pair = (x, 1.0);
    pair.0[0] * pair.1
}

fn main() {}
