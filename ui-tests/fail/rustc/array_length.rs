//! A list of another length than its type: one message, as without the attribute.

use di::prelude::*;

#[differentiable]
fn f(x: f64) -> f64 {
    let v: [f64; 3] = [x, x];
    v[0]
}

fn main() {}
