#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn force(x: f64) -> [f64; 2] {
    [x, x * x]
}

#[differentiable]
fn work(force: [f64; 2], h: f64) -> f64 {
    (force[0] + force[1]) * h
}

#[differentiable]
fn f(x: f64) -> f64 {
    let a = force(x);
    work(a, 0.5)
}

fn main() {}
