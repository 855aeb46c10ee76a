#![allow(warnings)]

use di::differentiable;

macro_rules! name {
    () => {
        y
    };
}

#[differentiable]
fn f(x: f64) -> f64 {
    let name!() = x;
    x * x
}

fn main() {}
