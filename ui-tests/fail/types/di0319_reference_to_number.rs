#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let mut a = x;
    let r = &mut a;
    *r += 1.0;
    a * x
}

fn main() {}

// row 125 later
