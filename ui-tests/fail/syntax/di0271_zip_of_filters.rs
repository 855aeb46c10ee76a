#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    x.iter()
        .filter(|v| **v > 0.0)
        .zip(x.iter().filter(|v| **v < 0.0))
        .map(|(a, b)| a * b)
        .sum()
}

fn main() {}
