#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    x.iter()
        .flat_map(|v| {
            if *v < 0.0 {
                return None;
            }
            Some(v * v)
        })
        .sum()
}

fn main() {}
// row 46 refused: `return` in the closure of `flat_map`
