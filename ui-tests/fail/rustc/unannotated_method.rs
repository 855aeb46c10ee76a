//! The impl block is not annotated, which the macro cannot see.

use di::differentiable;

#[derive(Clone, Copy, di::Differentiable)]
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
