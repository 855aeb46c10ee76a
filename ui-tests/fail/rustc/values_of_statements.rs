//! A branch or a loop that stands as a statement gives nothing.

use di::differentiable;

#[differentiable]
fn branch(x: f64) -> f64 {
    if x > 0.0 {
        x * 2.0
    }
    x
}

#[differentiable]
fn both(x: f64) -> f64 {
    if x > 0.0 { x } else { 2.0 }
    x * 2.0
}

#[differentiable]
fn for_loop(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s + v
    }
    s
}

#[differentiable]
fn while_loop(x: f64) -> f64 {
    let mut y = x;
    while y > 1.0 {
        y * 0.5
    }
    y
}

fn main() {}
