#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let m = vec![vec![x; 2]; 2];
    m[0][0] * m[1][1]
}

fn main() {}

// row 163 later: `Vec<Vec<f64>>`
