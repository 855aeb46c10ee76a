#![allow(warnings)]

use di::differentiable;

struct Failure;

impl From<Failure> for u32 {
    fn from(_: Failure) -> u32 {
        3
    }
}

#[differentiable]
fn inner(x: f64) -> Result<f64, Failure> {
    if x > 0.0 { Ok(x) } else { Err(Failure) }
}

#[differentiable]
fn f(x: f64) -> Result<f64, u32> {
    let y: Result<f64, Failure> = inner(x);
    Ok(y? * x)
}

fn main() {}
