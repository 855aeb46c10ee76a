#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn g(x: f64) -> f64 {
    let a = vec![vec![x; 2]; 2];
    let b = vec![vec![x; 2]; 2];
    if a == b { a[0][0] } else { b[0][0] }
}

#[differentiable]
fn add(a: &mut [Vec<f64>], b: &[Vec<f64>]) {
    a[0][0] += b[0][0];
}

#[differentiable]
fn h(x: f64) -> f64 {
    let mut a = vec![vec![x; 2]; 2];
    let (top, rest) = a.split_at_mut(1);
    add(top, rest);
    a[0][0]
}

fn main() {}
