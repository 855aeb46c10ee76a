#![allow(warnings)]

use di::differentiable;

struct Params {
    a: f64,
}

fn make(a: f64) -> Params {
    Params { a }
}

#[differentiable]
fn f(x: f64) -> f64 {
    let p = make(x);
    p.a
}

fn main() {}
