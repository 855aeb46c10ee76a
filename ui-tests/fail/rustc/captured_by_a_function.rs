//! Functions inside of functions that name variables around them.

use di::differentiable;

#[differentiable]
fn variable(x: f64) -> f64 {
    let k = 2.0;
    fn scaled(t: f64) -> f64 {
        t * k
    }
    scaled(x)
}

#[differentiable]
fn parameter(x: f64) -> f64 {
    fn scaled(t: f64) -> f64 {
        t * x
    }
    scaled(2.0)
}

fn main() {}
