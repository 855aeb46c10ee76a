#![allow(warnings)]

use di::differentiable;

const GRAVITY: f64 = 9.81;

#[differentiable]
fn scaled(x: f64, a: f64) -> f64 {
    a * x
}

#[differentiable]
fn f(x: f64) -> f64 {
    let y: f64 = scaled(x, GRAVITY);
    y
}

fn main() {}
