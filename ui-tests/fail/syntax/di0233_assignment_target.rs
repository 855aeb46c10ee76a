#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let mut a = [x, 1.0];
    *{ &mut a } = [1.0, x];
    a[0] * a[1]
}

fn main() {}
