//! A struct in fields of another one is not derived.

use di::{Differentiable, differentiable};

#[derive(Clone, Copy)]
struct Layer {
    w: f64,
}

#[derive(Clone, Differentiable)]
struct Net {
    first: Layer,
    inner: [Layer; 2],
    more: Vec<Layer>,
}

#[differentiable]
fn f(net: &Net) -> f64 {
    net.first.w * net.inner[0].w
}

fn main() {}
