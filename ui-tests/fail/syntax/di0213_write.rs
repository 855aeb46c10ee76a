#![allow(warnings)]

use di::differentiable;
use std::fmt::Write;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let (mut text, mut sum) = (String::new(), 0.0);
    for v in x {
        write!(text, "{v}").unwrap();
        sum += v * v;
    }
    sum
}

#[differentiable]
fn g(x: f64, #[constant] log: &std::cell::RefCell<String>) -> f64 {
    if write!(log.borrow_mut(), "{x}").is_ok() {
        return x * x;
    }
    x
}

fn main() {}

// row 133 refused: `write!` to a variable, or whose result is used
