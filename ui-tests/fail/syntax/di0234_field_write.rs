#![allow(warnings)]

use di::differentiable;

#[derive(di::Differentiable)]
struct Params {
    a: f64,
}

#[differentiable]
fn f(p: &Params, x: f64) -> f64 {
    p.a = x;
    x * x
}

fn main() {}

// row 123 later: writes to fields
