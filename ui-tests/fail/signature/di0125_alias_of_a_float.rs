//! The macro does not see what an alias stands for.

use di::differentiable;

type Real = f64;

#[differentiable]
fn f(x: Real) -> f64 {
    x * x
}

fn main() {}

// row 159 refused: aliases of floats
