#![allow(warnings)]

use di::{Differentiable, differentiable};

#[derive(Differentiable)]
struct P {
    k: f64,
}

#[differentiable]
impl P {
    fn force(&self, x: f64) -> [f64; 2] {
        [x, self.k * x]
    }
}

#[differentiable]
fn work(force: [f64; 2], h: f64) -> f64 {
    (force[0] + force[1]) * h
}

#[differentiable]
fn f(p: &P, x: f64) -> f64 {
    let a = p.force(x);
    let b = a * 2.0;
    b
}

fn main() {}
