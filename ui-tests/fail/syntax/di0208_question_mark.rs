#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    x.iter()
        .flat_map(|v| {
            let a = x.get(1)?;
            Some(a * v)
        })
        .sum()
}

fn main() {}

// row 78 refused: `?` in the closure of `flat_map`
