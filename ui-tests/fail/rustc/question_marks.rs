//! `?` on what cannot be returned early, or in a function that cannot.

use di::{Differentiable, differentiable};

#[derive(Clone, Copy, Differentiable)]
struct Params {
    a: f64,
    w: [f64; 3],
    #[constant]
    n: usize,
}

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn number(x: f64) -> Option<f64> {
    let y = x?;
    Some(y)
}

#[differentiable]
fn result(x: f64) -> Option<f64> {
    let y = square(x)?;
    Some(y)
}

#[differentiable]
fn field(p: &Params) -> Option<f64> {
    let y = p.a?;
    Some(y)
}

#[differentiable]
fn result_in_option(x: f64) -> Option<f64> {
    let r: Result<f64, i32> = Ok(x);
    let y = r?;
    Some(y)
}

#[differentiable]
fn option_in_result(x: f64) -> Result<f64, i32> {
    let r: Option<f64> = Some(x);
    let y = r?;
    Ok(y)
}

#[differentiable]
fn not_returned(x: &[f64]) -> f64 {
    let y = x.first()?;
    *y
}

#[differentiable]
fn misspelt(x: &[f64]) -> Option<f64> {
    let y = x.frst()?;
    Some(*y)
}

#[differentiable]
fn then_another(x: &[f64]) -> Option<f64> {
    let y = x.first()?;
    Some(y * 2)
}

fn main() {}
