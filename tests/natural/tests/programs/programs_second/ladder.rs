//! Lossy transmission line as a ladder of lumped cells, complex numbers of our own.
use di::prelude::*;

#[differentiable]
mod line {
    use std::ops::{Add, Div, Mul, Neg, Sub};

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct C {
        pub re: f64,
        pub im: f64,
    }

    impl C {
        pub const ONE: C = C { re: 1.0, im: 0.0 };
        pub fn new(re: f64, im: f64) -> Self {
            C { re, im }
        }
        pub fn norm_sqr(self) -> f64 {
            self.re * self.re + self.im * self.im
        }
        pub fn conj(self) -> Self {
            C::new(self.re, -self.im)
        }
        pub fn recip(self) -> Self {
            let n = self.norm_sqr();
            C::new(self.re / n, -self.im / n)
        }
    }
    impl Add for C {
        type Output = C;
        fn add(self, o: C) -> C {
            C::new(self.re + o.re, self.im + o.im)
        }
    }
    impl Sub for C {
        type Output = C;
        fn sub(self, o: C) -> C {
            self + (-o)
        }
    }
    impl Neg for C {
        type Output = C;
        fn neg(self) -> C {
            C::new(-self.re, -self.im)
        }
    }
    impl Mul for C {
        type Output = C;
        fn mul(self, o: C) -> C {
            C::new(self.re * o.re - self.im * o.im, self.re * o.im + self.im * o.re)
        }
    }
    impl Div for C {
        type Output = C;
        fn div(self, o: C) -> C {
            self * o.recip()
        }
    }
    impl From<f64> for C {
        fn from(re: f64) -> C {
            C::new(re, 0.0)
        }
    }

    /// Reflected power in dB for r, l, g, c per cell and a load.
    pub fn return_loss(x: &[f64], freqs: &[u32]) -> f64 {
        let z0 = C::from(50.0);
        let mut worst = f64::NEG_INFINITY;
        for &mhz in freqs {
            let w = std::f64::consts::TAU * mhz as f64 * 1e6;
            let mut z = C::from(x[4]);
            for _ in 0..12 {
                let y = C::new(x[2], w * x[3]) + C::ONE / z;
                z = C::new(x[0], w * x[1]) + y.recip();
            }
            let gamma = (z - z0) / (z + z0);
            worst = worst.max(10.0 * gamma.norm_sqr().log10());
        }
        worst
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [0.02, 2.5e-9, 1e-6, 1.1e-12, 65.0];
    let f = line::return_loss::AD.with(&[100, 300, 500]);
    let g = gradient(f, NoPrep, &AutoSource::new(), &x)?;
    super::check_of("ladder", &g, &x, |x| {
        let mut y = x.to_vec();
        y[0] = x[0];
        line::return_loss(&y, &[100, 300, 500])
    });
    Ok(())
}
