//! Names of types of parameters, results and variables.

use di::differentiable;

#[differentiable]
fn triple(x: f64) -> [f64; 3] {
    [x; 3]
}

#[differentiable]
fn reference(p: &Nothing) -> f64 {
    p.a
}

#[differentiable]
fn value(p: Nothing) -> f64 {
    p.a
}

#[differentiable]
fn slice(p: &[Nothing]) -> f64 {
    p[0].a
}

#[differentiable]
fn by_path(p: &missing::Nothing) -> f64 {
    p.a
}

#[differentiable]
fn constant(x: f64, #[constant] p: &Nothing) -> f64 {
    x
}

#[differentiable]
fn result(x: f64) -> Nothing {
    triple(x)
}

#[differentiable]
fn variable(x: f64) -> f64 {
    let p: Nothing = triple(x);
    p.a
}

#[differentiable]
fn alias(x: Real) -> f64 {
    x
}

fn main() {}
