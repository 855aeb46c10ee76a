//! B-spline curves by de Boor's algorithm, generic over the point type.
use di::prelude::*;

#[differentiable]
mod spline {
    pub trait Lerp: Copy {
        fn lerp(self, other: Self, t: f64) -> Self;
    }

    impl Lerp for f64 {
        fn lerp(self, other: Self, t: f64) -> Self {
            self + (other - self) * t
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct P2(pub f64, pub f64);

    impl Lerp for P2 {
        fn lerp(self, other: Self, t: f64) -> Self {
            P2(self.0.lerp(other.0, t), self.1.lerp(other.1, t))
        }
    }

    pub fn de_boor<P: Lerp>(ctrl: &[P], knots: &[f64], degree: usize, u: f64) -> P {
        let k = (degree..ctrl.len()).rev().find(|&i| knots[i] <= u).unwrap_or(degree);
        let mut d: Vec<P> = (0..=degree).map(|j| ctrl[j + k - degree]).collect();
        for r in 1..=degree {
            for j in (r..=degree).rev() {
                let lo = knots[j + k - degree];
                let hi = knots[j + 1 + k - r];
                let a = (u - lo) / (hi - lo);
                d[j] = d[j - 1].lerp(d[j], a);
            }
        }
        d[degree]
    }

    pub fn length(xy: &[f64]) -> f64 {
        let ctrl: Vec<P2> = xy.chunks_exact(2).map(|c| P2(c[0], c[1])).collect();
        let knots = [0.0, 0.0, 0.0, 0.0, 0.4, 1.0, 1.0, 1.0, 1.0];
        let mut prev = de_boor(&ctrl, &knots, 3, 0.0);
        let mut len = 0.0;
        for i in 1..=40 {
            let p = de_boor(&ctrl, &knots, 3, i as f64 / 40.0);
            len += (p.0 - prev.0).hypot(p.1 - prev.1);
            prev = p;
        }
        len
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [0.0, 0.0, 1.0, 2.0, 2.0, -1.0, 3.0, 0.5, 4.0, 1.0];
    let g = gradient(spline::length::AD, NoPrep, &AutoSource::new(), &x)?;
    super::check_of("deboor", &g, &x, |x| spline::length(x));
    Ok(())
}
