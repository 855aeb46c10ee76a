#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    static mut SCALE: f64 = 2.0;
    x * 2.0
}

fn main() {}
