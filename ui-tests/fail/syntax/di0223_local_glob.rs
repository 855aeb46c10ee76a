#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    use std::f64::consts::*;
    x * PI
}

fn main() {}
