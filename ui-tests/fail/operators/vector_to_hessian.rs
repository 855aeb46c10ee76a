// parity 9
#![allow(warnings)]

use di::prelude::*;

#[differentiable]
fn f(x: &[f64]) -> (f64, f64) {
    (x[0], x[1])
}

fn main() {
    let h = hessian(f::AD, NoPrep, &AutoSource::new(), &[1.0, 2.0]);
}
