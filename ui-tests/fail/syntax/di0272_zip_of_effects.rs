#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut calls = 0.0;
    let counted = |v| {
        calls += 1.0;
        v * calls
    };
    let mut s = 0.0;
    for (a, b) in x.iter().map(counted).zip(&x[1..]) {
        s += a * b;
    }
    s * calls
}

fn main() {}
