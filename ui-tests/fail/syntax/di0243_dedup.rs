#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let mut v = vec![x, x * x];
    v.dedup();
    v[0]
}

fn main() {}

// row 38 later: `drain`, `retain`, `dedup`
