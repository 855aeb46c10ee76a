#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> Option<Vec<f64>> {
    Some(vec![x])
}

fn main() {}
