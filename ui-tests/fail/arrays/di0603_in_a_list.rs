#![allow(warnings)]

use di::differentiable;
use ndarray::{Array1, Array2, ArrayView1, Axis, s};

#[differentiable]
fn f(x: &mut Array1<f64>) -> f64 {
    let found = [x.view_mut()];
    found[0][0]
}

fn main() {}
