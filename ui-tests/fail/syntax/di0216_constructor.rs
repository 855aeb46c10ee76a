#![allow(warnings)]

use di::differentiable;

struct Distance(f64);

#[differentiable]
fn f(x: f64) -> f64 {
    let d = Distance(x);
    d.0 * d.0
}

fn main() {}

// row 162 later: constructors
