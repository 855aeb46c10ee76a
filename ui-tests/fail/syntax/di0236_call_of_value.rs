#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    (if x > 0.0 { f64::sin } else { f64::cos })(x)
}

fn main() {}
