#![allow(warnings)]

use di::{Differentiable, differentiable};

#[derive(Differentiable)]
struct P {
    c: [f64; 2],
}

#[differentiable]
fn made(x: f64) -> P {
    P { c: [x, 2.0] }
}

// the struct has no name here
#[differentiable]
fn f(x: f64) -> f64 {
    let p = made(x);
    let mut c = p.c;
    c[0] *= 2.0;
    c[0] * c[1]
}

fn main() {}
