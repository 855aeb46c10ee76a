#![allow(warnings)]

use di::prelude::*;

#[differentiable]
fn trapezoid(f: impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    0.5 * (b - a) * (f(a) + f(b))
}

fn main() {
    let g = derivative(trapezoid::AD, NoPrep, &AutoSource::new(), &1.0);
}
