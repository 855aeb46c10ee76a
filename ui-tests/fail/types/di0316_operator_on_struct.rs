#![allow(warnings)]

use di::differentiable;

#[derive(di::Differentiable, PartialEq)]
struct Params {
    a: Vec<Part>,
}

#[derive(di::Differentiable, PartialEq)]
struct Part {
    b: f64,
}

#[differentiable]
fn f(p: &Params, q: &Params) -> f64 {
    if *p == *q { 1.0 } else { p.a[0].b }
}

fn main() {}
