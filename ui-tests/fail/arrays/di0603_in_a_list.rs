#![allow(warnings)]

use di::differentiable;
use ndarray::{Array1, Array2, ArrayView1, Axis, s};

#[differentiable]
fn f(x: &Array1<f64>) -> f64 {
    let rows = vec![x.to_owned()];
    rows[0][0]
}

#[differentiable]
fn g(x: &Array1<f64>) -> f64 {
    let found = [x.view()];
    found[0][0]
}

fn main() {}
