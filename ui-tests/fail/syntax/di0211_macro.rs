#![allow(warnings)]

use di::differentiable;

mod shared {
    macro_rules! square {
        ($x:expr) => {
            $x * $x
        };
    }
    pub(crate) use square;
}
use shared::square;

#[differentiable]
fn f(x: f64) -> f64 {
    square!(x)
}

fn main() {}

// row 139 refused: macros of other modules
