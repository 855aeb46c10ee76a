#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn root(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x.sqrt()) } else { None }
}

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x.iter().map(|v| root(*v)).flatten() {
        s += v;
    }
    s
}

fn main() {}
