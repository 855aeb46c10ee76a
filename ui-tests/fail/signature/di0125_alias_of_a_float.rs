#![allow(warnings)]

use di::differentiable;
use units::Real;

mod units {
    pub type Real = f64;
}

// the alias is imported, and has no attribute
#[differentiable]
fn f(x: Real, y: f64) -> f64 {
    y
}

fn main() {}
