//! A function whose signature is refused: its callers, and operators, have nothing to say of it.

use di::prelude::*;

#[differentiable]
fn grow(x: &mut Vec<f64>, by: f64) {
    x.push(by);
}

#[differentiable]
fn caller(x: f64) -> f64 {
    let mut v = vec![x];
    grow(&mut v, x);
    v[0] * v[1]
}

#[differentiable]
fn in_a_loop(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    for t in x {
        grow(&mut v, *t);
    }
    v.iter().sum()
}

fn main() {
    let _ = jacobian(grow::AD, NoPrep, &AutoSource::new(), &[1.0]);
    let _ = derivative(caller::AD, NoPrep, &AutoSource::new(), &1.0);
}
