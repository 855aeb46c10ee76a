#![allow(warnings)]

use di::differentiable;

#[derive(Clone, Copy, di::Differentiable)]
struct Params {
    a: f64,
}

#[differentiable]
fn make(a: f64) -> (Params, f64) {
    (Params { a }, a)
}

#[differentiable]
fn f(x: f64) -> f64 {
    let (p, y) = make(x);
    p.a * y
}

fn main() {}
