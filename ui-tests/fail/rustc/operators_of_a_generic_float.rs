//! Bounds that a float which is generic does not have.

use di::differentiable;
use std::ops::{Add, Mul};

#[differentiable]
#[active_scalar(T)]
fn sum<T: Copy + Mul<Output = T>>(x: &[T]) -> T {
    x[0] * x[1] + x[0]
}

#[differentiable]
#[active_scalar(T)]
fn method<T: Copy + Mul<Output = T>>(x: &[T]) -> T {
    x[0].sin() * x[1].atan2(x[0]) * x[0].sin()
}

#[differentiable]
#[active_scalar(T)]
fn sign<T: Copy + Mul<Output = T>>(x: &[T]) -> T {
    -x[1]
}

#[differentiable]
#[active_scalar(T)]
fn assigned<T: Copy + Add<Output = T>>(x: &[T]) -> T {
    let mut s = x[0];
    s += x[1];
    s
}

#[differentiable]
#[active_scalar(T)]
fn literal<T: Copy + Mul<Output = T>>(x: &[T]) -> T {
    2.0 * x[1]
}

#[differentiable]
#[active_scalar(T)]
fn compared<T: Copy + Mul<Output = T>>(x: &[T]) -> T {
    if x[0] > x[1] { x[0] } else { x[1] }
}

fn main() {}
