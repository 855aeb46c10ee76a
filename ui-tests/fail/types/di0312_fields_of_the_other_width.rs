#![allow(warnings)]

use di::{Differentiable, differentiable};

#[derive(Clone, Copy, Differentiable)]
struct Wide {
    a: f64,
    n: usize,
}

const KNOWN: Wide = Wide { a: 0.5, n: 2 };

#[differentiable]
fn made(x: &[f32]) -> f32 {
    let p = Wide { a: 1.0 + 1e-10, n: 1 };
    ((p.a - 1.0) as f32) * x[0]
}

// constants stay as wide as they are
#[differentiable]
fn constant(x: &[f32], #[constant] p: &Wide) -> f32 {
    x[p.n] * ((p.a + KNOWN.a) as f32)
}

fn main() {}
