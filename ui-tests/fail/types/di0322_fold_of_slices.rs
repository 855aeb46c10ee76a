#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let s = x.iter().fold(&x[..], |s, _| {
        return &s[1..];
    });
    s.len() as f64 * x[0]
}

fn main() {}
