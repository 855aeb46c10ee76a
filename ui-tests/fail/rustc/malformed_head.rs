//! Functions whose parameters or result rustc cannot read.

use di::differentiable;

#[differentiable]
fn untyped(x) -> f64 {
    x
}

#[differentiable]
fn result(x: f64): f64 {
    x
}

fn main() {}
