//! Generated code looks for the handle of that name.

use di::differentiable;

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn misspelt(x: f64) -> f64 {
    let y: f64 = sqare(x);
    y
}

#[differentiable]
fn by_path(x: f64) -> f64 {
    let y: f64 = missing::square(x);
    y
}

#[differentiable]
fn made(x: f64) -> f64 {
    let p = Nothing { a: x };
    p.a
}

#[differentiable]
fn made_by(x: f64) -> f64 {
    let p = Nothing::new(x);
    p.a
}

fn main() {}
