#![allow(warnings)]

use di::{Differentiable, differentiable};

#[derive(Differentiable)]
struct P {
    c: [f64; 2],
}

#[derive(Differentiable)]
struct Q {
    k: f64,
}

#[differentiable]
impl Q {
    fn made(&self) -> P {
        P { c: [self.k, 2.0] }
    }
}

// the struct has no name here
#[differentiable]
fn f(q: &Q) -> f64 {
    let mut p = q.made();
    p.c[0] *= 3.0;
    let mut c = p.c;
    c[0] *= 2.0;
    c[0] * c[1] * p.c[0]
}

fn main() {}
