#![allow(warnings)]

use di::differentiable;
use ndarray::Array2;

fn middle(n: usize) -> [usize; 2] {
    [n / 2, n / 2]
}

#[differentiable]
fn f(x: &Array2<f64>) -> f64 {
    x[middle(x.nrows())]
}

fn main() {}
