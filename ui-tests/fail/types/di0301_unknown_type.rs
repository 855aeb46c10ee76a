#![allow(warnings)]

use di::differentiable;

#[derive(di::Differentiable)]
struct Params {
    k: f64,
    l: f64,
}

#[differentiable]
fn f(p: &Params, x: f64) -> f64 {
    let k = p.k;
    if k == p.l { x } else { x * x }
}

fn main() {}
