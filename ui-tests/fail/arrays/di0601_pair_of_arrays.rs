#![allow(warnings)]

use di::differentiable;
use ndarray::{Array1, Array2, ArrayView1, Axis, s};

#[differentiable]
fn f(x: &(Array1<f64>, f64)) -> f64 {
    x.0[0] * x.1
}

fn main() {}
