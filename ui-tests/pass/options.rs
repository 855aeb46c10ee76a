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

fn main() {
    let _ = Solve::AD;
    let _ = cube::AD;
    assert_eq!(solve(3.0) + cube(2.0), 17.0);
}
