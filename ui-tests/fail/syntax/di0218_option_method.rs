#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut a = Some(x[0]);
    a.take();
    x[0] * x[0]
}

fn main() {}

// row 94 later: `take`, `replace`, `insert`
