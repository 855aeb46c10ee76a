#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut t = x[0];
    let call = move |k: f64| move |s: f64| s * t * k;
    t *= 2.0;
    call(x[1])(t)
}

fn main() {}
// row 331 refused: one that is `move` and takes along a variable that may change
