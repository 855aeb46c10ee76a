#![allow(warnings)]

use di::differentiable;

#[differentiable]
mod model {
    pub trait Size {
        fn abs(self) -> f64;
        fn sqrt(self) -> f64;
    }

    impl Size for f64 {
        fn abs(self) -> f64 {
            3.0 * self
        }
        fn sqrt(self) -> f64 {
            f64::sqrt(self)
        }
    }

    pub fn f(x: f64) -> f64 {
        x.abs() + x.sqrt()
    }
}

fn main() {}
