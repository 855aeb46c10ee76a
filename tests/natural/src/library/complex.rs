//! Complex numbers as a struct of two floats.
use di::prelude::*;

pub use number::Complex;

#[differentiable]
mod number {
    use std::ops::{Add, Div, Mul, Sub};

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Complex {
        pub re: f64,
        pub im: f64,
    }

    impl Complex {
        pub const ONE: Complex = Complex { re: 1.0, im: 0.0 };
        pub const I: Complex = Complex { re: 0.0, im: 1.0 };

        pub fn real(re: f64) -> Self {
            Complex { re, im: 0.0 }
        }

        pub fn norm_sqr(self) -> f64 {
            self.re * self.re + self.im * self.im
        }

        pub fn sin_cos(self) -> (Self, Self) {
            let (s, c) = self.re.sin_cos();
            let (sh, ch) = (self.im.sinh(), self.im.cosh());
            (
                Complex {
                    re: s * ch,
                    im: c * sh,
                },
                Complex {
                    re: c * ch,
                    im: -s * sh,
                },
            )
        }
    }

    impl Add for Complex {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Complex {
                re: self.re + o.re,
                im: self.im + o.im,
            }
        }
    }

    impl Sub for Complex {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            Complex {
                re: self.re - o.re,
                im: self.im - o.im,
            }
        }
    }

    impl Mul for Complex {
        type Output = Self;
        fn mul(self, o: Self) -> Self {
            Complex {
                re: self.re * o.re - self.im * o.im,
                im: self.re * o.im + self.im * o.re,
            }
        }
    }

    impl Div for Complex {
        type Output = Self;
        fn div(self, o: Self) -> Self {
            let d = o.norm_sqr();
            let c = self * Complex { im: -o.im, ..o };
            Complex {
                re: c.re / d,
                im: c.im / d,
            }
        }
    }
}
