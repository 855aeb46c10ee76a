#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &mut Vec<f64>) -> f64 {
    x.push(x[0] * x[0]);
    x[1]
}

fn main() {}
