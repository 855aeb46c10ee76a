#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> Vec<f64> {
    if x[0] > 0.0 {
        return x.to_vec();
    }
    vec![0.0; 2]
}

fn main() {}
