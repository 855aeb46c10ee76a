#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let g = |t: f64| t * t;
    apply(g, x[0])
}

fn apply(g: impl Fn(f64) -> f64, t: f64) -> f64 {
    g(t)
}

fn main() {}
// row 87 refused: passed on
