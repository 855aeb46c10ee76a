//! Engineer: natural cubic spline by the Thomas algorithm, evaluated at a station.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod spline {
    #[derive(Clone, Debug)]
    pub struct Spline {
        x: Vec<f64>,
        y: Vec<f64>,
        m: Vec<f64>,
    }

    impl Spline {
        pub fn natural(x: &[f64], y: &[f64]) -> Spline {
            let n = x.len();
            let mut m = vec![0.0; n];
            let mut c = vec![0.0; n];
            let mut d = vec![0.0; n];
            for i in 1..n - 1 {
                let h0 = x[i] - x[i - 1];
                let h1 = x[i + 1] - x[i];
                let rhs = 6.0 * ((y[i + 1] - y[i]) / h1 - (y[i] - y[i - 1]) / h0);
                let denom = 2.0 * (h0 + h1) - h0 * c[i - 1];
                c[i] = h1 / denom;
                d[i] = (rhs - h0 * d[i - 1]) / denom;
            }
            for i in (1..n - 1).rev() {
                m[i] = d[i] - c[i] * m[i + 1];
            }
            Spline { x: x.to_vec(), y: y.to_vec(), m }
        }

        fn segment(&self, t: f64) -> usize {
            match self.x.iter().position(|&xi| xi > t) {
                Some(0) => 0,
                Some(i) => i - 1,
                None => self.x.len() - 2,
            }
        }

        pub fn at(&self, t: f64) -> f64 {
            let i = self.segment(t);
            let h = self.x[i + 1] - self.x[i];
            let a = (self.x[i + 1] - t) / h;
            let b = (t - self.x[i]) / h;
            a * self.y[i]
                + b * self.y[i + 1]
                + ((a.powi(3) - a) * self.m[i] + (b.powi(3) - b) * self.m[i + 1]) * h * h / 6.0
        }
    }

    pub fn roughness(y: &[f64], #[constant] x: &[f64]) -> f64 {
        let s = Spline::natural(x, y);
        let mut sum = 0.0;
        let mut t = 0.05;
        while t < 3.9 {
            sum += s.at(t).powi(2);
            t += 0.3;
        }
        sum
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [0.0, 0.7, 1.5, 2.6, 4.0];
    let y = [1.0, 2.0, 0.5, -0.3, 1.2];
    let g = gradient(spline::roughness::AD.with(&x), NoPrep, &AutoSource::new(), &y)?;
    check("15", &g, &fd(|y| spline::roughness(y, &x), &y));
    Ok(())
}
