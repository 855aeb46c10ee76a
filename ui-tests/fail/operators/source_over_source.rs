// parity 118
#![allow(warnings)]

use di::prelude::*;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    x[0]
}

fn main() {
    let backend = SecondOrder::new(AutoSource::new(), AutoSource::new());
    let h = hessian(f::AD, NoPrep, &backend, &[1.0]);
}
