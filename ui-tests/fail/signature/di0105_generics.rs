#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f<T: Copy + Into<usize>>(x: &[f64], i: T) -> f64 {
    x[i.into()]
}

#[differentiable]
fn g<T>(x: T) -> T
where
    T: Copy + std::ops::Mul<Output = T>,
{
    x * x
}

fn main() {}

// row 115 later
// row 116 later
