#![allow(warnings)]

use di::differentiable;

fn power<T: Into<f64>>(x: f64, t: T) -> f64 {
    x * t.into()
}

#[differentiable]
fn f(x: f64) -> f64 {
    let y: f64 = power::<f32>(x, 2.0);
    y
}

fn main() {}
