// parity 42
#![allow(warnings)]

use di::prelude::*;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    x[0]
}

fn main() {
    let mut dy = [0.0; 2];
    let v = [1.0];
    pushforward_into(f::AD, &mut dy, NoPrep, &AutoSource::new(), &[1.0], &v).unwrap();
    let two: [f64; 2] = pushforward(f::AD, NoPrep, &AutoSource::new(), &[1.0], &v).unwrap();
}
