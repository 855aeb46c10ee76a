//! Arguments of the attribute.
#![deny(warnings)]

mod facade {
    pub use di::*;
}

mod solve {
    #[di::differentiable(handle = Solve)]
    pub fn solve(x: f64) -> f64 {
        x * x
    }
}

use solve::{Solve, solve};

#[di::differentiable(crate = crate::facade)]
fn cube(x: f64) -> f64 {
    x * x * x
}

#[derive(facade::Differentiable)]
#[ad(crate = crate::facade)]
struct Pair {
    a: f64,
    b: f64,
}

#[di::differentiable(crate = crate::facade)]
fn product(p: &Pair) -> f64 {
    p.a * p.b
}

fn main() {
    let _ = product::AD;
    assert_eq!(product(&Pair { a: 2.0, b: 3.0 }), 6.0);
    let _ = Solve::AD;
    let _ = cube::AD;
    assert_eq!(solve(3.0) + cube(2.0), 17.0);
}
