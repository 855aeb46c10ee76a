#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort_by(|a, b| (a - 1.0).abs().total_cmp(&b.abs()));
    v[0] * v[1]
}

fn main() {}

// row 40 later: comparisons of different keys
