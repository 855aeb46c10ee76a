//! Mechanics, optics and matter: models as structs. Refused: each with what the compiler says.

// E0080 [DI0110] a parameter of type `[[C64; 2]; 2]` is not supported
// E0080 [DI0117] this result is not supported
// E0277 the trait bound `std::ops::RangeInclusive<u32>: Copy` is not satisfied
// E0080 [DI0247] an iterator is only supported after `in` and in a chain that ends with a value
/// Reflectance of thin films by matrices of complex numbers.
mod optics_multilayer {
    use crate::check::scalar;
    use di::prelude::*;

    #[differentiable]
    pub mod thin_film {
        use std::ops::{Add, Div, Mul, Sub};

        #[derive(Clone, Copy, Debug, Default)]
        pub struct C64 {
            pub re: f64,
            pub im: f64,
        }

        impl C64 {
            pub const I: C64 = C64 { re: 0.0, im: 1.0 };
            pub const fn real(re: f64) -> Self {
                C64 { re, im: 0.0 }
            }
            pub fn norm_sqr(self) -> f64 {
                self.re * self.re + self.im * self.im
            }
        }

        impl From<f64> for C64 {
            fn from(re: f64) -> Self {
                C64::real(re)
            }
        }

        impl Add for C64 {
            type Output = C64;
            fn add(self, o: C64) -> C64 {
                C64 { re: self.re + o.re, im: self.im + o.im }
            }
        }
        impl Sub for C64 {
            type Output = C64;
            fn sub(self, o: C64) -> C64 {
                C64 { re: self.re - o.re, im: self.im - o.im }
            }
        }
        impl Mul for C64 {
            type Output = C64;
            fn mul(self, o: C64) -> C64 {
                C64 { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
            }
        }
        impl Div for C64 {
            type Output = C64;
            fn div(self, o: C64) -> C64 {
                let d = o.norm_sqr();
                C64 { re: (self.re * o.re + self.im * o.im) / d, im: (self.im * o.re - self.re * o.im) / d }
            }
        }

        type Matrix = [[C64; 2]; 2];

        fn matmul(a: &Matrix, b: &Matrix) -> Matrix {
            let mut c = [[C64::default(); 2]; 2];
            for i in 0..2 {
                for j in 0..2 {
                    c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j];
                }
            }
            c
        }

        fn layer(n: f64, d: f64, wavelength: f64) -> Matrix {
            let delta = 2.0 * std::f64::consts::PI * n * d / wavelength;
            let (s, c) = delta.sin_cos();
            [[c.into(), C64::I * C64::from(s / n)], [C64::I * C64::from(n * s), c.into()]]
        }

        pub fn reflectance(thickness: &[f64], #[constant] indices: &[f64], #[constant] substrate: f64, #[constant] wavelength: f64) -> f64 {
            let one = C64::real(1.0);
            let zero = C64::default();
            let mut m = [[one, zero], [zero, one]];
            for (&d, &n) in thickness.iter().zip(indices) {
                m = matmul(&m, &layer(n, d, wavelength));
            }
            let ns = C64::real(substrate);
            let b = m[0][0] + m[0][1] * ns;
            let c = m[1][0] + m[1][1] * ns;
            let r = (b - c) / (b + c);
            r.norm_sqr()
        }

        pub fn merit(thickness: &[f64], #[constant] indices: &[f64], #[constant] band: std::ops::RangeInclusive<u32>) -> f64 {
            let mut worst = 0.0;
            let mut sum = 0.0;
            for nm in band.step_by(25) {
                let r = reflectance(thickness, indices, 1.52, nm as f64);
                sum += r;
                if r > worst {
                    worst = r;
                }
            }
            sum + worst
        }
    }

    #[test]
    fn optics_multilayer() {
        use thin_film::merit;
        scalar!(merit, (&[1.38, 2.1, 1.46], 450..=550), &[90.0, 120.0, 70.0]);
    }
}
