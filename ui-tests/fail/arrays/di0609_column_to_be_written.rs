#![allow(warnings)]

use di::differentiable;
use ndarray::{Array1, Array2, ArrayView1, Axis, s};

#[differentiable]
fn square(x: &mut Array1<f64>) {
    x.mapv_inplace(|v| v * v);
}

#[differentiable]
fn f(x: &Array2<f64>) -> f64 {
    let mut a = x.to_owned();
    for v in a.column_mut(0).iter_mut() {
        *v *= 2.0;
    }
    a.sum()
}

fn main() {}
