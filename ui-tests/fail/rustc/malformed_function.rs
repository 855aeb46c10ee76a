//! Functions that rustc cannot read: it has said so before the attribute sees them.

use di::differentiable;

#[differentiable]
fn operand(x: f64) -> f64 {
    let y = x * ;
    y
}

#[differentiable]
fn chained(x: f64) -> f64 {
    if 0.0 < x < 1.0 { x } else { 2.0 }
}

#[differentiable]
fn ternary(x: f64) -> f64 {
    x > 0.0 ? x : 1.0
}

fn main() {}
