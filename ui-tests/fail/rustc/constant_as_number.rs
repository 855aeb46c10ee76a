// A constant that goes to a function which is not queried is inferred as a number.
#![allow(warnings)]

use di::prelude::*;

const WIDTH: usize = 3;

#[derive(Clone, Copy, Differentiable)]
struct Part {
    a: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct Body {
    parts: [Part; 2],
}

#[differentiable]
fn column(x: f64, n: usize) -> f64 {
    x * n as f64
}

#[differentiable]
fn weight(p: Part) -> f64 {
    p.a * p.a
}

#[differentiable]
fn f(x: f64) -> f64 {
    let y: f64 = column(x, WIDTH);
    y
}

#[differentiable]
fn g(b: &Body) -> f64 {
    let y: f64 = weight(b.parts[1]);
    y
}

fn main() {}
