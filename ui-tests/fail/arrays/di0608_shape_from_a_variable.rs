#![allow(warnings)]

use di::differentiable;
use ndarray::{Array1, Array2, ArrayView1, Axis, s};

#[differentiable]
fn f(x: &Array1<f64>, #[constant] shape: (usize, usize)) -> f64 {
    let a = Array2::from_elem(shape, x[0]);
    a.sum()
}

fn main() {}
