//! Helpers without warnings: only called, only differentiated, with a name that a primitive has not.
#![deny(warnings)]

use di::prelude::*;

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn add_into(x: &[f64], y: &mut [f64], z: &mut [f64]) {
    for i in 0..x.len() {
        y[i] += square(x[i]);
        z[i] -= x[i];
    }
}

#[differentiable]
fn total(x: &[f64]) -> f64 {
    let mut y = vec![0.0; x.len()];
    let mut z = x.to_vec();
    add_into(x, &mut y, &mut z);
    y.iter().zip(&z).map(|(a, b)| a + b).sum()
}

fn main() {
    let gradient = gradient(total::AD, &NoPrep, &AutoSource::new(), &[1.0, 2.0][..]);
    assert_eq!(gradient.ok(), Some(vec![2.0, 4.0]));
}
