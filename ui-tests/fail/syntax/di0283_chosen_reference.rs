#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let w = if x[0] > 0.0 { x } else { &[1.0, 2.0][..] };
    w[0] * x[1]
}

fn main() {}

// row 125 later: references to temporaries, chosen by a branch
