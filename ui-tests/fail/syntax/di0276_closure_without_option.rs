#![allow(warnings)]

use di::differentiable;

fn entry(table: &[f64], i: usize) -> Option<f64> {
    table.get(i).copied()
}

#[differentiable]
fn f(x: &[f64], #[constant] table: &[f64]) -> f64 {
    (0..3).filter_map(|i| entry(table, i)).sum::<f64>() * x[0]
}

fn main() {}
