#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let mut text = 0;
    write!(text, "{x}");
    x * x
}

fn main() {}

// row 133 later
