#![allow(warnings)]

use di::differentiable;

#[derive(di::Differentiable)]
struct Params {
    a: f64,
}

#[differentiable]
fn f(p: &Params) -> f64 {
    let Params { a } = p;
    a * a
}

fn main() {}

// row 7 later
