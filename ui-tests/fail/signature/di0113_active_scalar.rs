#![allow(warnings)]

use di::differentiable;

#[differentiable]
#[active_scalar(S)]
fn f<T: Copy>(x: f64, #[constant] t: T) -> f64 {
    x * x
}

#[differentiable]
#[active_scalar(T = u8)]
fn g<T: Copy + std::ops::Mul<Output = T>>(x: &[f64]) -> f64 {
    x[0] * x[0]
}

fn main() {}
