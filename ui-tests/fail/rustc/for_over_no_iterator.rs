//! What stands behind `in` is no iterator: rustc says so twice, in the same words, and cargo prints it once.

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
fn count(x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for v in n {
        s += x[v];
    }
    s
}

#[differentiable]
fn field(p: &Params) -> f64 {
    let mut s = 0.0;
    for v in p.a {
        s += v;
    }
    s
}

#[differentiable]
fn number_in_a_field(p: &Params) -> f64 {
    let mut s = 0.0;
    for v in p.n {
        s += p.w[v];
    }
    s
}

#[differentiable]
fn result(x: f64) -> f64 {
    let mut s = 0.0;
    for v in square(x) {
        s += v;
    }
    s
}

#[differentiable]
fn a_struct(p: &Params) -> f64 {
    let mut s = 0.0;
    for v in p {
        s += v;
    }
    s
}

#[differentiable]
fn components(x: f64) -> f64 {
    let mut s = 0.0;
    for v in (x, x) {
        s += v;
    }
    s
}

#[differentiable]
fn text(x: f64, #[constant] name: &str) -> f64 {
    let mut s = 0.0;
    for v in name {
        s += x;
    }
    s
}

#[differentiable]
fn misspelt(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x.each() {
        s += v;
    }
    s
}

#[differentiable]
fn unknown_field(p: &Params) -> f64 {
    let mut s = 0.0;
    for v in p.z {
        s += v;
    }
    s
}

#[differentiable]
fn arguments(x: f64) -> f64 {
    let mut s = 0.0;
    for v in square(x, x) {
        s += v;
    }
    s
}

#[differentiable]
fn pattern(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x.iter().enumerate() {
        s += v;
    }
    s
}

fn main() {}
