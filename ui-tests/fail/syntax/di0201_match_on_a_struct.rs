#![allow(warnings)]

use di::prelude::*;

#[derive(Differentiable, PartialEq)]
struct Pair {
    a: f64,
    b: f64,
}

const ORIGIN: Pair = Pair { a: 0.0, b: 0.0 };

#[differentiable]
fn f(p: &Pair) -> f64 {
    match *p {
        ORIGIN => p.b,
        _ => p.a,
    }
}

fn main() {}
