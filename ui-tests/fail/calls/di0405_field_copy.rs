#![allow(warnings)]

use di::{Differentiable, differentiable};

#[derive(Differentiable)]
struct P {
    c: [f64; 2],
}

#[differentiable]
fn f(p: &P) -> f64 {
    let mut c = p.c;
    c[0] *= 2.0;
    c[0] * c[1]
}

fn main() {}
