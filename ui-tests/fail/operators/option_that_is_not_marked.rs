#![allow(warnings)]

use di::prelude::*;

#[differentiable]
fn f(x: &[f64], limit: Option<f64>) -> f64 {
    x[0] * limit.unwrap_or(1.0)
}

fn main() {
    let bound = f::AD.with(Some(2.0));
}
