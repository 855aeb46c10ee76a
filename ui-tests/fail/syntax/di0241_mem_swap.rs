#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let (mut a, mut b) = (x, 1.0);
    std::mem::swap(&mut a, &mut b);
    a * b
}

fn main() {}
