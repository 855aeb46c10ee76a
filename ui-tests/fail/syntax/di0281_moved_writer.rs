#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut s = 0.0;
    let mut add = |t: f64| s += t;
    let mut twice = move |t: f64| {
        add(t);
        add(t);
    };
    twice(x[0]);
    s
}

fn main() {}
