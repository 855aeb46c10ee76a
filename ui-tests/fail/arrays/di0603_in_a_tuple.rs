#![allow(warnings)]

use di::differentiable;
use ndarray::{Array1, Array2, ArrayView1, Axis, s};

#[differentiable]
fn f(x: &Array1<f64>) -> f64 {
    let pair = (x.to_owned(), 1.0);
    pair.0[0] * pair.1
}

#[differentiable]
fn g(x: &Array1<f64>) -> f64 {
    let found = Some(x.view());
    found.unwrap()[0]
}

fn main() {}
