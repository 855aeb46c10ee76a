#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let y = Option::from(x);
    x * x
}

fn main() {}

// row 94 later: functions of `Option`
