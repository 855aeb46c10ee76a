//! A format string with another number of places than arguments.

use di::differentiable;

#[differentiable]
fn missing(x: f64) -> f64 {
    println!("{} {}", x);
    x
}

#[differentiable]
fn too_many(x: f64) -> f64 {
    println!("{}", x, x);
    x
}

#[differentiable]
fn in_an_assertion(x: f64) -> f64 {
    assert!(x > 0.0, "{} is below {}", x);
    x
}

fn main() {}
