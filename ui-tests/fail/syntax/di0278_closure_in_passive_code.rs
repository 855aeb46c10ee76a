#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64], #[constant] p: &std::collections::HashMap<usize, usize>) -> f64 {
    let g = |i: usize| i + 1;
    x[0] * p.values().map(|v| g(*v)).max().unwrap() as f64
}

fn main() {}
