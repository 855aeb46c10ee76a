#![allow(warnings)]

use di::differentiable;
use ndarray::{Array1, Array2, ArrayView1, Axis, concatenate, s};

#[differentiable]
fn f(x: &Array1<f64>) -> f64 {
    x.std(1.0) + x.product()
}

#[differentiable]
fn g(mut x: Array2<f64>) -> f64 {
    x.accumulate_axis_inplace(Axis(0), |a, b| *b *= a); x.sum()
}

fn main() {}
