#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64, n: usize) -> f64 {
    let m = n.to_be();
    x * x
}

fn main() {}


