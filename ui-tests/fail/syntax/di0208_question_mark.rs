#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let first = |v: &[f64]| -> Option<f64> {
        let a = v.first()?;
        Some(a * a)
    };
    first(x).unwrap_or(x[0])
}

fn main() {}

// row 78 later: `?` in closures
