#![allow(warnings)]

use di::differentiable;

#[derive(di::Differentiable)]
struct Params {
    a: f64,
}

impl std::ops::Add for &Params {
    type Output = f64;
    fn add(self, other: &Params) -> f64 {
        self.a + other.a
    }
}

#[differentiable]
fn f(p: &Params, q: &Params) -> f64 {
    (p + q) * 2.0
}

fn main() {}

// row 161 later: operators on references
