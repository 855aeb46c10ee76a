#![allow(warnings)]

use di::differentiable;

#[derive(di::Differentiable)]
struct Params {
    a: f64,
}

impl Params {
    fn norm(&self) -> f64 {
        self.a.abs()
    }
}

#[differentiable]
fn f(p: &Params) -> f64 {
    p.norm()
}

fn main() {}

// row 161 later: methods
