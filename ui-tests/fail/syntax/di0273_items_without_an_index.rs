#![allow(warnings)]

use di::differentiable;
use std::collections::BTreeMap;

#[differentiable]
fn read(x: &[f64], #[constant] marks: &str) -> f64 {
    let mut y = x[0];
    for c in marks.chars() {
        if c == '+' {
            y *= x[1];
        }
    }
    y
}

#[differentiable]
fn weighted(x: &[f64], #[constant] weights: &BTreeMap<usize, f64>) -> f64 {
    weights.iter().map(|(k, w)| x[*k] * w).sum()
}

fn main() {}
