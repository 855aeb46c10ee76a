#![allow(warnings)]

use di::differentiable;
use ndarray::{Array1, Array2, ArrayView1, Axis, s};

#[differentiable]
fn f(x: &Array2<f64>) -> f64 {
    let mut row = x.row(0);
    let mut s = row.sum();
    row = x.row(1);
    s + row.sum()
}

fn main() {}
