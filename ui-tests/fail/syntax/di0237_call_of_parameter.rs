#![allow(warnings)]

use di::differentiable;

struct Table {
    g: fn(f64) -> f64,
}

#[differentiable]
fn f(x: f64, #[constant] table: &Table) -> f64 {
    let g = table.g;
    g(x)
}

fn main() {}

// row 87 refused: function values
