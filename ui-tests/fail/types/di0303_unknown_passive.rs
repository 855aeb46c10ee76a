#![allow(warnings)]

use di::differentiable;

fn label(k: usize) -> String {
    "a".repeat(k)
}

#[differentiable]
fn f(x: f64, k: usize) -> f64 {
    let mut text = label(k);
    text = label(k + 1);
    x * x
}

fn main() {}

// row 168 refused: results of unknown type
