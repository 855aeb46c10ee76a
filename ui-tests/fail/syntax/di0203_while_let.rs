#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64, #[constant] stack: &[usize]) -> f64 {
    let mut s = x;
    while let Some(n) = stack.first() {
        s *= *n as f64;
    }
    s
}

fn main() {}

// row 59 later: `while let`
