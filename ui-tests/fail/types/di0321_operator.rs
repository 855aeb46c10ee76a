// row 167 refused: operators in annotated functions

use di::prelude::*;

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn f(x: f64, #[constant] backend: &AutoSource) -> f64 {
    let d: f64 = derivative(square::AD, NoPrep, backend, &x).unwrap();
    d * x
}

fn main() {}
