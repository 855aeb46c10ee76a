#![allow(warnings)]

use di::differentiable;

fn h(a: &f64) -> f64 {
    *a
}

#[differentiable]
fn f(x: f64) -> f64 {
    let a = x;
    let y: f64 = h(&a);
    y * x
}

fn main() {}

// row 125 later: references to numbers as arguments
