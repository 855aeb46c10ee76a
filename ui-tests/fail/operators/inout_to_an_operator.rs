#![allow(warnings)]

use di::prelude::*;

#[differentiable]
fn step(#[inout] state: &mut [f64], #[constant] h: f64) {
    state[0] += h * state[1];
}

#[differentiable]
fn halve(#[inout] state: &mut [f64]) {
    state[0] *= 0.5;
}

fn main() {
    let mut state = [1.0, 2.0];
    let f = step::AD.with(0.1);
    let g = halve::AD.output(&mut state);
}
