#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64, n: usize) -> f64 {
    match (n, x > 0.0) {
        (0, true) => x,
        _ => x * x,
    }
}

fn main() {}
