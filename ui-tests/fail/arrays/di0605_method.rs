#![allow(warnings)]

use di::differentiable;
use ndarray::{Array1, Array2, ArrayView1, s};

#[differentiable]
fn f(x: &Array1<f64>) -> f64 {
    x.std(1.0) + x.product()
}

fn main() {}
