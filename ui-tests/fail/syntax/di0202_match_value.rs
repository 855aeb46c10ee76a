#![allow(warnings)]

use di::differentiable;

enum Failure {
    Flat,
    Steps { best: f64 },
}

#[differentiable]
fn root(x: f64) -> Result<f64, Failure> {
    if x < 0.0 {
        return Err(Failure::Flat);
    }
    if x > 9.0 {
        return Err(Failure::Steps { best: 2.0 * x });
    }
    Ok(x.sqrt())
}

#[differentiable]
fn f(x: f64) -> f64 {
    match root(x) {
        Ok(root) => root,
        Err(Failure::Steps { best }) => best,
        Err(Failure::Flat) => 0.0,
    }
}

fn main() {}

// row 415 refused: patterns that look into them
