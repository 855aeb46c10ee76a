#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64], #[constant] g: &dyn Fn(&f64) -> f64) -> f64 {
    x.iter().map(&g).sum::<f64>()
}

fn main() {}
