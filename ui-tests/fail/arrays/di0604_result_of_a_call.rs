#![allow(warnings)]

use di::{Differentiable, differentiable};
use ndarray::{Array1, Array2, ArrayView1, Axis, s};

#[derive(Differentiable)]
struct Net {
    w: f64,
}

#[differentiable]
impl Net {
    fn bias(&self) -> Array1<f64> {
        Array1::from_elem(3, self.w)
    }
}

#[differentiable]
fn f(net: &Net, x: &Array1<f64>) -> f64 {
    let h = net.bias();
    h.dot(x)
}

fn main() {}
