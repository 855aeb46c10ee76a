//! The length of an array is a parameter of another type.

use di::differentiable;

#[differentiable]
fn f<const N: i32>(x: &[f64; N]) -> f64 {
    x[0]
}

fn main() {}
