#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn parsed(x: f64) -> Result<f64, u8> {
    if x > 0.0 { Ok(x) } else { Err(1) }
}

#[differentiable]
fn f(x: f64, y: f64) -> f64 {
    if parsed(x) == parsed(y) { x } else { x * y }
}

fn main() {}
