// parity 46
#![allow(warnings)]

use di::prelude::*;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    x[0]
}

fn main() {
    let backend = AutoSource::new();
    let prep = prepare_gradient(f::AD, &backend, &[1.0]).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| gradient(f::AD, &prep, &backend, &[1.0]));
    });
}
