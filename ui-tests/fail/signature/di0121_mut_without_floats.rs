#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64, count: &mut [usize]) -> f64 {
    count[0] += 1;
    x * x
}

fn main() {}
