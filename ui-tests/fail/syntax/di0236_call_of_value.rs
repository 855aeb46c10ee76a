#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64, #[constant] table: &[fn(f64) -> f64]) -> f64 {
    (table[0])(x)
}

fn main() {}
