#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    match x[0].partial_cmp(&x[1]) {
        Some(_) => x[0],
        None => x[1],
    }
}

fn main() {}
