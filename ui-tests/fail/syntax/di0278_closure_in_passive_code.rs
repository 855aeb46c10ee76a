#![allow(warnings)]

use di::differentiable;
use di::passive;

fn apply(g: impl Fn(usize) -> usize, n: usize) -> usize {
    g(n)
}

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let g = |i: usize| i + 1;
    x[0] * passive(apply(g, 2)) as f64
}

fn main() {}
