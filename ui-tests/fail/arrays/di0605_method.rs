#![allow(warnings)]

use di::differentiable;
use ndarray::{Array1, Array2, ArrayView1, Axis, concatenate, s};

#[differentiable]
fn f(x: &Array1<f64>) -> f64 {
    x.std(1.0) + x.product()
}

#[differentiable]
fn g(x: &Array2<f64>) -> f64 {
    x.fold_axis(Axis(0), 1.0, |a, b| a * b).sum()
}

fn main() {}

// row 147 later: fold_axis, concatenate
