#![allow(warnings)]

use di::differentiable;
use ndarray::{Array1, Array2, ArrayView1, Axis, s};

#[differentiable]
fn f(x: &Array2<f64>) -> f64 {
    let mut s = 0.0;
    for pair in x.outer_iter().enumerate() {
        s += pair.1[0];
    }
    s
}

fn main() {}
