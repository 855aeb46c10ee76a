#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64, n: usize) -> f64 {
    let (m, _) = n.overflowing_add(1);
    x * x
}

fn main() {}

// row 96 later: overflowing methods
