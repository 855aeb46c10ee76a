#![allow(warnings)]

use di::differentiable;

type Real = f64;

// the alias has no attribute
#[differentiable]
fn f(x: Real, y: f64) -> f64 {
    y
}

fn main() {}
