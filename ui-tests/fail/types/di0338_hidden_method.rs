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

#[differentiable]
mod generic {
    use std::ops::Mul;

    pub trait Size {
        fn abs(self) -> Self;
    }

    impl<T: Copy + Mul<Output = T>> Size for T {
        fn abs(self) -> T {
            self * self
        }
    }

    // rustc calls that of the trait here, and that of floats for a number
    fn size<T: Size>(x: T) -> T {
        x.abs()
    }

    pub fn f(x: f64) -> f64 {
        size(x)
    }
}

fn main() {}
