#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> Option<&[f64]> {
    Some(&x[1..])
}

fn main() {}
