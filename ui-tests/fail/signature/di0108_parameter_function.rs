#![allow(warnings)]

use di::differentiable;

// its body is not put where it is called, since it is generic over a length
#[differentiable]
fn f<const N: usize>(g: impl Fn(f64) -> f64, x: [f64; N]) -> f64 {
    x[0] * x[0]
}

fn main() {}

// row 88 later
// row 89 refused
