// parity 9
#![allow(warnings)]

use di::prelude::*;

#[differentiable]
fn f(x: &[f64], y: &mut [f64]) {
    y[0] = x[0];
}

fn main() {
    let mut y = [0.0];
    let g = gradient(f::AD.output(&mut y), NoPrep, &AutoSource::new(), &[1.0]);
}
