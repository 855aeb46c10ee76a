#![allow(warnings)]

use di::differentiable;
use std::cmp::Ordering;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    match x[0].partial_cmp(&x[1]).unwrap_or(Ordering::Less) {
        Ordering::Less => x[0],
        _ => x[1],
    }
}

fn main() {}
