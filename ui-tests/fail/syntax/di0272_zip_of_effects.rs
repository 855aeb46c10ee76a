#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut calls = 0.0;
    let s: f64 = x
        .iter()
        .map(|v| {
            calls += 1.0;
            v * calls
        })
        .zip(&x[1..])
        .map(|(a, b)| a * b)
        .sum();
    s * calls
}

fn main() {}
