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

// row 60 later: patterns that look into a value
// row 62 later
