#![allow(warnings)]

use di::differentiable;

fn passive<T>(x: T) -> T {
    x
}

#[differentiable]
fn f(x: f64) -> f64 {
    let mut calls = 0;
    let n: usize = passive({ calls += 1; calls });
    x * n as f64
}

fn main() {}

// row 168 refused: effects
