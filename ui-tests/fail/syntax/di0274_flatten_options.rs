#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in (0..3).map(|i| x.get(i)).flatten() {
        s += v;
    }
    s
}

fn main() {}
