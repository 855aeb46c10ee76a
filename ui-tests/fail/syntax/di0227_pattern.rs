#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let y @ z = x;
    y * z
}

fn main() {}
