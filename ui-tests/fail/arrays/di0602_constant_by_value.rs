#![allow(warnings)]

use di::differentiable;
use ndarray::{Array1, Array2, ArrayView1, Axis, s};

#[differentiable]
fn f(x: &Array1<f64>, #[constant] a: Array1<f64>) -> f64 {
    x.dot(&a)
}

fn main() {}
