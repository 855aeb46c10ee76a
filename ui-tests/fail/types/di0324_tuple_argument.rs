#![allow(warnings)]

use di::differentiable;

fn product(p: (f64, f64)) -> f64 {
    p.0 * p.1
}

#[differentiable]
fn f(x: f64) -> f64 {
    let y: f64 = product((x, 2.0));
    y
}

fn main() {}
