#![allow(warnings)]

use di::{Differentiable, custom_rule, differentiable};

#[derive(Clone, Differentiable)]
struct P {
    a: f64,
}

#[differentiable]
impl P {
    fn weighted<T: Into<f64> + Copy>(&self, #[constant] by: T) -> f64 {
        self.a * by.into()
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
