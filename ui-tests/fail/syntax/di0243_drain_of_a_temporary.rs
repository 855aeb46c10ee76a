#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let s: f64 = vec![x, x * x].drain(..1).sum();
    s * x
}

fn main() {}
