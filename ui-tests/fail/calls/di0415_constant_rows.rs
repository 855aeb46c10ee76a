#![allow(warnings)]

use di::differentiable;

#[derive(Clone, di::Differentiable)]
struct Table {
    scale: f64,
    #[constant]
    rows: Vec<Vec<f64>>,
}

#[differentiable]
fn f(x: &[f64], table: &Table) -> f64 {
    table.scale * table.rows[0][1] * x[0]
}

fn main() {}
