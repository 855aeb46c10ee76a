#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let v = [[(&x[..1], 1.0)], [(&x[1..], 2.0)]];
    x[0] * x[0]
}

fn main() {}
