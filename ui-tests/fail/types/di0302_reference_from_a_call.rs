#![allow(warnings)]

use di::differentiable;

#[derive(di::Differentiable)]
struct P {
    k: f64,
}

impl P {
    fn rest<'a>(&self, x: &'a [f64]) -> &'a [f64] {
        &x[1..]
    }
}

#[differentiable]
fn f(p: &P, x: &[f64]) -> f64 {
    let tail: &[f64] = p.rest(x);
    tail[0]
}

fn main() {}
