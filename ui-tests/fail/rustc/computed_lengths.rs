//! Lengths of arrays that are computed of parameters.

use di::differentiable;

#[differentiable]
fn longer<const N: usize>(x: &[f64; N]) -> f64 {
    let y = [0.0; N + 1];
    x[0] * y.len() as f64
}

fn main() {}
