#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn pick(x: &[f64], order: &[usize]) -> f64 {
    x[order[0]]
}

#[differentiable]
fn f(x: &[f64], n: usize) -> f64 {
    let mut order = [0usize; 2];
    order[0] = n;
    let y: f64 = pick(x, &order);
    y * y
}

fn main() {}
