#![allow(warnings)]

use di::differentiable;

#[derive(di::Differentiable)]
struct Params {
    a: f64,
}

#[differentiable]
fn product(p: &Params, q: &Params) -> f64 {
    p.a * q.a
}

#[differentiable]
fn f(p: &Params) -> f64 {
    let y: f64 = product(p, p);
    y
}

fn main() {}
