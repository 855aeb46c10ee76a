#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64, y: f64) -> f64 {
    if Some(x) == Some(y) { x } else { x * y }
}

fn main() {}
