//! Mistakes in functions inside of functions.

use di::differentiable;

#[differentiable]
fn types(x: &[f64]) -> f64 {
    fn half(t: f64) -> f64 {
        t / 2
    }
    half(x[0])
}

#[differentiable]
fn argument(x: &[f64]) -> f64 {
    fn half(t: f64) -> f64 {
        t / 2.0
    }
    half(x)
}

#[differentiable]
fn unknown(x: &[f64]) -> f64 {
    fn half(t: f64) -> f64 {
        t.half()
    }
    half(x[0])
}

#[differentiable]
fn index(x: &[f64]) -> f64 {
    fn at(t: &[f64], i: i32) -> f64 {
        t[i]
    }
    at(x, 1)
}

fn main() {}
