#![allow(warnings)]

use di::differentiable;

struct Params {
    a: f64,
}

#[differentiable]
fn f(x: f64, #[constant] p: &Params, #[constant] q: &Params) -> f64 {
    x * (if x > 0.0 { p } else { q }).a
}

fn main() {}
