#![allow(warnings)]

use di::differentiable;
use std::os::raw::c_uint as Index;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let i: Index = 1;
    x[i as usize] * 2.0
}

fn main() {}

// row 159 refused: aliases of integers that are imported
