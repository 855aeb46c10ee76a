#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let v = [x, x];
    let p = &v as &[f64];
    p[0] * p[1]
}

fn main() {}
