#![allow(warnings)]

use di::prelude::*;

#[derive(Differentiable)]
struct P {
    x: f64,
}

#[differentiable]
fn f(p: &[P]) -> &P {
    &p[1]
}

fn main() {}

// row 108 refused: references to structs
