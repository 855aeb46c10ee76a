#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64], #[constant] table: &[Option<f64>]) -> f64 {
    (0..3).filter_map(|i| table[i]).sum::<f64>() * x[0]
}

fn main() {}
