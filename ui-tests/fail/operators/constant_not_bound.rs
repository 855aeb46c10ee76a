// parity 42
#![allow(warnings)]

use di::prelude::*;

#[differentiable]
fn f(x: &[f64], #[constant] k: f64) -> f64 {
    k * x[0]
}

fn main() {
    let g = gradient(f::AD, NoPrep, &AutoSource::new(), &[1.0]);
}
