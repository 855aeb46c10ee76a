// parity 42
#![allow(warnings)]

use di::prelude::*;

#[differentiable]
fn f(x: &[f64; 2]) -> f64 {
    x[0]
}

fn main() {
    let g = gradient(f::AD, NoPrep, &AutoSource::new(), &vec![1.0, 2.0]);
}
