#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let squares = x.iter().map(|v| v * v).collect::<std::collections::LinkedList<f64>>();
    x[0]
}

fn main() {}
