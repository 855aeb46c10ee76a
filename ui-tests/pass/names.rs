//! The user's names stay the user's: none of ours is in the way.
#![deny(warnings)]

use di::prelude::*;

#[differentiable]
pub fn energy(x: &[f64]) -> f64 {
    let energy = x[0] * x[0];
    let rec = energy * x[1];
    let (tape, s) = (rec + 1.0, 2.0);
    tape * s
}

mod inner {
    use di::differentiable;

    /// A private function used as a value.
    #[differentiable]
    pub(super) fn total(x: f64, total: f64) -> f64 {
        x * total
    }
}

fn main() {
    let energy = energy(&[1.0, 2.0]);
    assert_eq!(energy, 6.0);
    let f: fn(f64, f64) -> f64 = inner::total;
    assert_eq!(f(2.0, 3.0), 6.0);
    let _ = energy::AD;
    let _ = inner::total::AD;
}
