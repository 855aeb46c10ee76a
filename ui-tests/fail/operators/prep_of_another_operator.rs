// parity 42
#![allow(warnings)]

use di::prelude::*;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    x[0]
}

fn main() {
    let backend = AutoSource::new();
    let prep = prepare_hessian(f::AD, &backend, &[1.0]).unwrap();
    let g = gradient(f::AD, &prep, &backend, &[1.0]);
}
