#![allow(warnings)]

use di::prelude::*;

#[derive(Differentiable)]
struct Pair {
    a: f64,
    b: f64,
}

#[differentiable]
fn f(p: &Pair) -> f64 {
    match p {
        Pair { a, .. } if *a > 0.0 => p.b,
        _ => p.a,
    }
}

fn main() {}
