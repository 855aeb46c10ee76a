#![allow(warnings)]

use di::differentiable;
use ndarray::{Array1, Array2, ArrayView1, Axis, s};

#[differentiable]
fn f(x: &Array1<f64>) -> f64 {
    let y: Array1<f64>;
    y = x.mapv(f64::exp);
    y.sum()
}

fn main() {}
