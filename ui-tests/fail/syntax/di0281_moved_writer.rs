#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut s = 0.0;
    let mut add = move |t: f64| {
        s += t;
        s
    };
    let mut twice = move |t: f64| add(t) + add(t);
    twice(x[0]) * add(x[1])
}

fn main() {}
