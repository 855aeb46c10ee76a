#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    x.iter()
        .filter_map(|v| {
            let a = x.get(1)?;
            Some(a * v)
        })
        .sum()
}

fn main() {}

// row 78 refused: `?` in the closures of `filter_map` and its kin
