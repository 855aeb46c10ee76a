// Types in lower case that do not exist.
#![allow(warnings)]

use di::prelude::*;

#[differentiable]
fn slice(x: &[flaot]) -> f64 {
    x[0] * 2.0
}

#[differentiable]
fn array(x: [double; 3]) -> f64 {
    x[0] * 2.0
}

#[differentiable]
fn result(x: f64) -> real {
    x * 2.0
}

#[differentiable]
fn vector(x: &Vec<scalar>) -> f64 {
    x[0] * 2.0
}

fn main() {}
