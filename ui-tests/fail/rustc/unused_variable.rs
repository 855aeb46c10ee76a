#![deny(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let y = x * x;
    let z = y * x;
    y
}

fn main() {
    f(1.0);
}
