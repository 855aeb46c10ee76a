#![allow(warnings)]

use di::differentiable;

struct Params {
    a: f64,
}

#[differentiable]
fn f(x: f64) -> f64 {
    let p = Params { a: x };
    p.a * p.a
}

fn main() {}

// row 162 later: struct literals
