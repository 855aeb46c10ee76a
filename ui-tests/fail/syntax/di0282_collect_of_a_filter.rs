#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let up: Vec<f64> = x.iter().copied().filter(|v| *v > 0.0).collect();
    up[0] * up[0]
}

fn main() {}
// row 52 later: chains of unknown length
