#![allow(warnings)]

use di::differentiable;
use ndarray::{Array1, Array2, ArrayView2, Axis, s};

#[differentiable]
fn f(x: &Array2<f64>) -> f64 {
    let one = x.slice(s![1, 2]);
    2.0 * one[[]]
}

#[differentiable]
fn g(x: &Array1<f64>) -> f64 {
    let deep = x.view().insert_axis(Axis(0)).insert_axis(Axis(0));
    deep[[0, 0, 1]]
}

#[differentiable]
fn h(x: &Array1<f64>, y: &Array2<f64>) -> f64 {
    let mut z = x.to_owned();
    z += y;
    z.sum()
}

fn main() {}
