//! `..` stands twice in a pattern.

use di::differentiable;

#[differentiable]
fn ends(x: &[f64]) -> f64 {
    match x {
        [a, .., b, ..] => a * b,
        _ => 0.0,
    }
}

fn main() {}
