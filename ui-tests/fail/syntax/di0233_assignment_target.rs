#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let a = [x, 1.0];
    [x; 2][0] = x * 2.0;
    a[0] * a[1]
}

fn main() {}
