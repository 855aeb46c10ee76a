#![allow(warnings)]

use di::differentiable;

fn rest(x: &[f64]) -> &[f64] {
    &x[1..]
}

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let tail: &[f64] = rest(x);
    tail[0]
}

fn main() {}
