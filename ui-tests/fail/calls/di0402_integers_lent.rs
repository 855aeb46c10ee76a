#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn pick(x: &[f64], order: &[i128]) -> f64 {
    x[order[0] as usize]
}

#[differentiable]
fn f(x: &[f64], n: usize) -> f64 {
    let mut order = [0i128; 2];
    order[0] = n as i128;
    let y: f64 = pick(x, &order);
    y * y
}

fn main() {}
