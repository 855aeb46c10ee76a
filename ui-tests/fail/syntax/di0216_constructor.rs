#![allow(warnings)]

use di::differentiable;

enum Distance {
    Near(f64),
}

#[differentiable]
fn f(x: f64) -> f64 {
    let d = Distance::Near(x);
    x * x
}

fn main() {}
