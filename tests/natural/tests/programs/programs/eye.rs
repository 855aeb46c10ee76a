//! Scientist: ophthalmology, IOL power with ABCD matrices, Mul on Mat2, product via iter().product-like fold.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod optics {
    use std::ops::Mul;

    #[derive(Clone, Copy, Debug)]
    pub struct Abcd {
        a: f64,
        b: f64,
        c: f64,
        d: f64,
    }

    impl Abcd {
        pub const IDENTITY: Abcd = Abcd { a: 1.0, b: 0.0, c: 0.0, d: 1.0 };
        pub fn gap(len: f64, n: f64) -> Self {
            Abcd { b: len / n, ..Self::IDENTITY }
        }
        pub fn lens(power: f64) -> Self {
            Abcd { c: -power, ..Self::IDENTITY }
        }
    }

    impl Mul for Abcd {
        type Output = Abcd;
        fn mul(self, r: Abcd) -> Abcd {
            Abcd {
                a: self.a * r.a + self.b * r.c,
                b: self.a * r.b + self.b * r.d,
                c: self.c * r.a + self.d * r.c,
                d: self.c * r.b + self.d * r.d,
            }
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Eye {
        pub cornea: f64,
        pub depth: f64,
        pub axial: f64,
        pub iol: f64,
    }

    impl Eye {
        fn system(&self) -> Abcd {
            let parts = [
                Abcd::lens(self.cornea),
                Abcd::gap(self.depth, 1.336),
                Abcd::lens(self.iol),
                Abcd::gap(self.axial - self.depth, 1.336),
            ];
            parts.into_iter().fold(Abcd::IDENTITY, |m, e| e * m)
        }
        /// Defocus on the retina for a far object, squared, and the size of the image.
        pub fn blur(&self, pupil: f64) -> f64 {
            let m = self.system();
            (pupil * m.a).powi(2) + 1e-4 * m.b.abs()
        }
    }
}
use optics::Eye;

pub(super) fn main() -> Result<(), di::Error> {
    let e = Eye { cornea: 43.0, depth: 0.005, axial: 0.0235, iol: 21.0 };
    let f = Eye::blur_ad.fix_pupil(0.003);
    let g = gradient(f, NoPrep, &AutoSource::new(), &e)?;
    let w = fd(|x| Eye { cornea: x[0], depth: x[1], axial: x[2], iol: x[3] }.blur(0.003), &[43.0, 0.005, 0.0235, 21.0]);
    check("46", &[g.cornea, g.depth, g.axial, g.iol], &w);
    Ok(())
}
