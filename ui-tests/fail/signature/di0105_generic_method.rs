#![allow(warnings)]

use di::{Differentiable, custom_rule, differentiable};

#[derive(Clone, Differentiable)]
struct P {
    a: f64,
}

#[differentiable]
impl P {
    fn weighted<const N: usize>(&self, x: [f64; N]) -> f64 {
        self.a * x[0]
    }
}

#[custom_rule(partials(slope))]
fn rule<const N: usize>(x: f64) -> f64 {
    x
}

#[differentiable]
fn slope(x: f64) -> f64 {
    1.0
}

fn main() {}
