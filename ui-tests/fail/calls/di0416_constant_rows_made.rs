#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn apply(to: &[Vec<usize>], a: f64) -> f64 {
    a * to[1][1] as f64
}

#[differentiable]
fn f(x: f64, d: f64) -> f64 {
    let to: Vec<Vec<usize>> = vec![vec![1, 2], vec![0, 3]];
    apply(&to, x * d)
}

fn main() {}
