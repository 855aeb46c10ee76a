#![allow(warnings)]

use di::differentiable;

#[derive(di::Differentiable)]
struct P {
    k: f64,
}

impl P {
    fn product(&self, p: (f64, f64)) -> f64 {
        p.0 * p.1 * self.k
    }
}

#[differentiable]
fn f(p: &P, x: f64) -> f64 {
    let y: f64 = p.product((x, 2.0));
    y
}

fn main() {}
