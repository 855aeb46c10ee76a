#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64], y: &[f64], first: bool) -> f64 {
    let v = if first { x } else { y };
    v[0] * v[1]
}

fn main() {}
