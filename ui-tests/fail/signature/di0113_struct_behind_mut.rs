#![allow(warnings)]

use di::differentiable;

struct Params {
    a: f64,
}

#[differentiable]
fn f(x: f64, p: &mut Params) {
    p.a = x;
}

fn main() {}

// row 120 later: a struct behind `&mut`
