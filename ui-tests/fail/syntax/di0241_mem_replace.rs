#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let mut a = x;
    let b = std::mem::replace(&mut a, 1.0);
    a * b
}

fn main() {}

// row 41 later: `replace` of what is not a number
