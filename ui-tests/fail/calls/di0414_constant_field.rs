#![allow(warnings)]

use di::differentiable;

#[derive(Clone, di::Differentiable)]
struct Fit {
    weights: Vec<f64>,
    #[constant]
    data: Vec<f64>,
}

#[differentiable]
fn f(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let fit = Fit {
        weights: x.to_vec(),
        data: data.to_vec(),
    };
    fit.weights[0] * fit.data[0]
}

fn main() {}
