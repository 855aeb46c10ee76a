#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    std::iter::successors(Some(x), |v| (v < &9.0).then(|| v * v)).sum()
}

fn main() {}
// row 53 refused
