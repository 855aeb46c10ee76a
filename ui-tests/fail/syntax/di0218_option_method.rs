#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut a = Some(x[0]);
    a.take_if(|v| *v > 1.0);
    x[0] * x[0]
}

fn main() {}

// row 94 refused: `take_if`
