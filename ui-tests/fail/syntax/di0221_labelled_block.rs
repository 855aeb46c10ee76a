#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let y = 'found: {
        if x > 1.0 {
            break 'found x;
        }
        1.0
    };
    y * x
}

fn main() {}

// row 75 later: labelled blocks
