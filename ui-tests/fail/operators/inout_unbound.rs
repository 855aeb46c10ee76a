#![allow(warnings)]

use di::prelude::*;

#[differentiable]
fn halve(#[inout] state: &mut [f64]) {
    state[0] *= 0.5;
}

fn main() {
    let g = jacobian(halve::AD, NoPrep, &AutoSource::new(), &[1.0, 2.0]);
}
