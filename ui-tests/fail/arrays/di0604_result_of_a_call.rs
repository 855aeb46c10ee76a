#![allow(warnings)]

use di::differentiable;
use ndarray::{Array1, Array2, ArrayView1, Axis, s};

#[differentiable]
fn layer(x: &Array1<f64>) -> Array1<f64> {
    x.mapv(f64::tanh)
}

#[differentiable]
fn f(x: &Array1<f64>) -> f64 {
    let h = layer(x);
    h.dot(x)
}

fn main() {}
