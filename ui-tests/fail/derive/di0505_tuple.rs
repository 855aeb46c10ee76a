#![allow(warnings)]

use di::prelude::*;

#[derive(Clone, Copy)]
pub enum Kind {
    Relu,
    Tanh,
}

#[derive(Differentiable)]
pub struct Net {
    pub layers: Vec<(Kind, f64)>,
}

#[differentiable]
pub fn run(net: &Net, x: f64) -> f64 {
    let mut y = x;
    for (kind, weight) in &net.layers {
        y = match kind {
            Kind::Relu => (y * weight).max(0.0),
            Kind::Tanh => (y * weight).tanh(),
        };
    }
    y
}

fn main() {}
