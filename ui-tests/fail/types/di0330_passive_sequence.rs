#![allow(warnings)]

use di::differentiable;

fn passive<T>(x: T) -> T {
    x
}

fn largest(x: &[f64]) -> f64 {
    x.iter().copied().fold(0.0, f64::max)
}

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let m: f64 = passive(largest(x));
    x[0] / m
}

fn main() {}
