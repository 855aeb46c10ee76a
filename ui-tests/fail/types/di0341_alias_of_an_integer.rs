#![allow(warnings)]

use di::differentiable;

type Index = usize;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let i: Index = 1;
    x[i] * 2.0
}

fn main() {}

// row 159 refused: aliases of integers
