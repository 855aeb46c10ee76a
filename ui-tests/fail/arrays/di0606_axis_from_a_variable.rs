#![allow(warnings)]

use di::differentiable;
use ndarray::{Array1, Array2, ArrayView1, Axis, s};

#[differentiable]
fn f(x: &Array2<f64>, #[constant] k: usize) -> f64 {
    x.sum_axis(Axis(k)).sum()
}

fn main() {}
