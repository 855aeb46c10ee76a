#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x.iter().fuse() {
        s += v * v;
    }
    s
}

fn main() {}
