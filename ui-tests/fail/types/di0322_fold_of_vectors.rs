#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let s = x.iter().fold(vec![0.0, 0.0], |s, v| vec![s[0] + v, s[1] * v]);
    s[0] * s[1]
}

fn main() {}
