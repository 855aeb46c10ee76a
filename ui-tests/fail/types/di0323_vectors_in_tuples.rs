#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let v: Vec<(f64, Vec<usize>)> = vec![(x[0], vec![1, 2])];
    v[0].0 * v[0].1[0] as f64
}

fn main() {}
