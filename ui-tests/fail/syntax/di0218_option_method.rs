#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut a = Some(x[0]);
    a.insert(1.0);
    x[0] * x[0]
}

fn main() {}

// row 94 refused: `insert`, `get_or_insert`, which give a reference into the option
