#![allow(warnings)]

use di::differentiable;

struct Scale;

const SCALE: Scale = Scale;

#[differentiable]
fn f(x: f64) -> f64 {
    let scale: Scale = SCALE;
    x * x
}

fn main() {}
