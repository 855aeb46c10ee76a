#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> Vec<&f64> {
    x.iter().collect()
}

fn main() {}
