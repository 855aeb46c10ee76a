#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let y: f64 = <f64 as std::ops::Mul>::mul(x, x);
    y
}

fn main() {}
