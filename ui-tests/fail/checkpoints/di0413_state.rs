#![allow(warnings)]

use di::differentiable;
use std::collections::HashSet;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut seen = HashSet::new();
    let mut s = [x[0], 0.0];
    #[ad(checkpoint)]
    for i in 0..100 {
        if seen.insert(i % 7) {
            s[0] = s[0] * x[1] + s[1];
        }
        s[1] += s[0].sin();
    }
    s[0]
}

fn main() {}
