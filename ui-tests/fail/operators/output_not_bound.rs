// parity 42
#![allow(warnings)]

use di::prelude::*;

#[differentiable]
fn f(x: &[f64], y: &mut [f64]) {
    y[0] = x[0];
}

fn main() {
    let j = jacobian(f::AD, NoPrep, &AutoSource::new(), &[1.0]);
}
