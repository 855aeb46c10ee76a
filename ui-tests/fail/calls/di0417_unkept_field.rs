#![allow(warnings)]

use di::differentiable;

#[derive(Clone, di::Differentiable)]
struct Layer {
    ranks: std::collections::HashMap<String, usize>,
    weights: Vec<f64>,
    bias: f64,
}

#[differentiable]
fn f(layer: &Layer, x: f64) -> f64 {
    let mut copy: Layer = layer.clone();
    copy.bias *= x;
    copy.bias * copy.weights[0]
}

fn main() {}
