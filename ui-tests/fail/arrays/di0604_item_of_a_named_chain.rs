#![allow(warnings)]

use di::differentiable;
use ndarray::{Array1, Array2, ArrayView1, Axis, s};

#[differentiable]
fn f(#[constant] parts: &[Array1<f64>], x: &Array1<f64>) -> f64 {
    let backwards = parts.iter().rev();
    backwards.map(|part| part.dot(x)).sum()
}

fn main() {}
