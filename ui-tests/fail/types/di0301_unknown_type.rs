#![allow(warnings)]

use di::differentiable;

#[derive(di::Differentiable)]
struct Params {
    k: f64,
    l: f64,
}

#[differentiable]
fn params(x: f64) -> Params {
    Params { k: x, l: 2.0 }
}

// the struct has no name here
#[differentiable]
fn f(x: f64) -> f64 {
    let p = params(x);
    let k = p.k;
    if k == p.l { x } else { x * x }
}

fn main() {}
