#![allow(warnings)]

use di::differentiable;

#[derive(di::Differentiable, PartialEq)]
struct Params {
    a: [f64; 2],
}

#[differentiable]
fn f(p: &Params, q: &Params) -> f64 {
    if *p == *q { 1.0 } else { p.a[0] }
}

fn main() {}
