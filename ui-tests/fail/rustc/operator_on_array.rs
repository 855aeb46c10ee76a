//! An operator that arrays do not have: rustc says so, and nothing of our own is told beside it.

use di::prelude::*;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let a = [1.0, 2.0];
    let b = a + 1.0;
    b[0] * x[0]
}

fn main() {}
