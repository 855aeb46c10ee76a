#![allow(warnings)]

use di::differentiable;

struct Scale;

const SCALE: Option<Scale> = None;

#[differentiable]
fn f(x: f64) -> f64 {
    let scale: Option<Scale> = SCALE;
    x * x
}

fn main() {}
