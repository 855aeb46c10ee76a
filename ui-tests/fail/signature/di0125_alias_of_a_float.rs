#![allow(warnings)]

use di::differentiable;
use units::Real;

mod units {
    pub type Real = <f64 as std::ops::Neg>::Output;
}

// the alias is imported, has no attribute, and says nothing by itself
#[differentiable]
fn f(x: Real, y: f64) -> f64 {
    y
}

fn main() {}
