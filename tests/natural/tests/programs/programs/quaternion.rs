//! Experienced: attitude error of a spacecraft with quaternions, operators overloaded.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod quat {
    use std::ops::{Add, Mul, Neg, Sub};

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct V3(pub f64, pub f64, pub f64);

    impl Add for V3 {
        type Output = V3;
        fn add(self, o: V3) -> V3 {
            V3(self.0 + o.0, self.1 + o.1, self.2 + o.2)
        }
    }
    impl Sub for V3 {
        type Output = V3;
        fn sub(self, o: V3) -> V3 {
            self + -o
        }
    }
    impl Neg for V3 {
        type Output = V3;
        fn neg(self) -> V3 {
            V3(-self.0, -self.1, -self.2)
        }
    }
    impl Mul<V3> for f64 {
        type Output = V3;
        fn mul(self, v: V3) -> V3 {
            V3(self * v.0, self * v.1, self * v.2)
        }
    }
    impl V3 {
        pub fn cross(self, o: V3) -> V3 {
            V3(self.1 * o.2 - self.2 * o.1, self.2 * o.0 - self.0 * o.2, self.0 * o.1 - self.1 * o.0)
        }
        pub fn dot(self, o: V3) -> f64 {
            self.0 * o.0 + self.1 * o.1 + self.2 * o.2
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Quat {
        pub w: f64,
        pub v: V3,
    }
    impl Mul for Quat {
        type Output = Self;
        fn mul(self, o: Self) -> Self {
            Self { w: self.w * o.w - self.v.dot(o.v), v: self.w * o.v + o.w * self.v + self.v.cross(o.v) }
        }
    }
    impl Quat {
        pub fn from_axis_angle(axis: V3, angle: f64) -> Self {
            let (s, c) = (0.5 * angle).sin_cos();
            Self { w: c, v: (s / axis.dot(axis).sqrt()) * axis }
        }
        pub fn conj(self) -> Self {
            Self { v: -self.v, ..self }
        }
        pub fn rotate(self, p: V3) -> V3 {
            (self * Quat { w: 0.0, v: p } * self.conj()).v
        }
    }

    const STARS: [(V3, V3); 2] = [(V3(1.0, 0.0, 0.0), V3(0.0, 1.0, 0.1)), (V3(0.0, 0.6, 0.8), V3(-0.5, 0.2, 0.8))];

    pub fn star_error(x: &[f64]) -> f64 {
        let q = Quat::from_axis_angle(V3(x[0], x[1], x[2]), x[3]);
        STARS.iter().map(|&(body, sky)| { let d = q.rotate(body) - sky; d.dot(d) }).sum()
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [0.1, -0.2, 0.9, 1.1];
    let g = gradient(quat::star_error::AD, NoPrep, &AutoSource::new(), &x)?;
    check("20", &g, &fd(quat::star_error, &x));
    let h = hessian(quat::star_error::AD, NoPrep, &AutoSource::new(), &x)?;
    for i in 0..4 {
        let row: Vec<f64> = (0..4).map(|j| h[(i, j)]).collect();
        let gi = |x: &[f64]| gradient(quat::star_error::AD, NoPrep, &AutoSource::new(), x).unwrap()[i];
        check("20h", &row, &fd(gi, &x));
    }
    Ok(())
}
