#![allow(warnings)]

use di::differentiable;

fn entry<T: Copy>(table: &[T], i: usize) -> Option<T> {
    table.get(i).copied()
}

#[differentiable]
fn f(x: &[f64], #[constant] table: &[f64]) -> f64 {
    (0..3).filter_map(|i| entry(table, i)).sum::<f64>() * x[0]
}

fn main() {}
