#![allow(warnings)]

use di::differentiable;

struct Params {
    a: f64,
}

#[differentiable]
fn f(p: Params) -> f64 {
    p.a * p.a
}

fn main() {}
