#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64], #[constant] g: &[fn(&f64) -> f64]) -> f64 {
    x.iter().map(g[0]).sum::<f64>()
}

fn main() {}
