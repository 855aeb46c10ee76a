#![allow(warnings)]

use di::{Differentiable, differentiable};

#[derive(Clone, Copy, Debug, Default, Differentiable)]
struct P {
    a: f64,
}

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut p = P { a: x[0] };
    let q = std::mem::take(&mut p);
    q.a * x[1]
}

fn main() {}

// row 41 refused: `take` of a struct, whose default is code that is not seen
