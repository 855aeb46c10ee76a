#![allow(warnings)]

use di::differentiable;

#[derive(di::Differentiable)]
struct Layer {
    weights: Vec<f64>,
    bias: f64,
}

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let layers = [
        [Layer { weights: x.to_vec(), bias: x[0] }],
        [Layer { weights: x.to_vec(), bias: x[1] }],
    ];
    layers[0][0].bias * layers[1][0].weights[0]
}

fn main() {}
