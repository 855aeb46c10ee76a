#![allow(warnings)]

use di::differentiable;

// what is differentiated must be of a type that is known
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

#[differentiable]
#[active_scalar(T)]
fn h<T: Copy + std::ops::Mul<Output = T>, U: Into<T>>(x: &[T], y: Option<U>) -> T {
    x[0] * x[0]
}

fn main() {}

// row 115 refused: type parameters that are differentiated
