#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64, #[constant] a: String, #[constant] b: String, first: bool) -> f64 {
    let name = if first { a } else { b };
    x * x
}

fn main() {}
