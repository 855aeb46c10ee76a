//! Fields and copies of fields that cannot be written.

use di::{Differentiable, differentiable};

#[derive(Clone, Copy, Differentiable)]
struct Params {
    a: f64,
    w: [f64; 2],
}

#[differentiable]
fn number(p: &Params) -> f64 {
    p.a = 3.0;
    p.a
}

#[differentiable]
impl Params {
    fn in_method(&self, x: f64) -> f64 {
        self.a = x;
        self.a
    }
}

#[differentiable]
fn copy(p: &Params) -> f64 {
    let q = *p;
    q.a = 1.0;
    q.a
}

fn main() {}
