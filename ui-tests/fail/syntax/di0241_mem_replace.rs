#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let mut a = x;
    let b = std::mem::replace(&mut a, 1.0);
    a * b
}

fn main() {}
