//! Scientist: variogram kriging, kernels via trait with generics over K, Cholesky with Option, packed storage closures.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod krig {
    pub trait Kernel {
        fn cov(&self, h: f64) -> f64;
    }
    #[derive(Clone, Copy, Debug)]
    pub struct Spherical {
        pub sill: f64,
        pub range: f64,
    }
    #[derive(Clone, Copy, Debug)]
    pub struct Matern {
        pub sill: f64,
        pub range: f64,
    }
    impl Kernel for Spherical {
        fn cov(&self, h: f64) -> f64 {
            let t = h / self.range;
            if t >= 1.0 { 0.0 } else { self.sill * (1.0 - 1.5 * t + 0.5 * t.powi(3)) }
        }
    }
    impl Kernel for Matern {
        fn cov(&self, h: f64) -> f64 {
            let t = 3f64.sqrt() * h / self.range;
            self.sill * (1.0 + t) * (-t).exp()
        }
    }

    fn cholesky(a: &mut Vec<Vec<f64>>) -> Option<f64> {
        let n = a.len();
        let mut logdet = 0.0;
        for j in 0..n {
            let d = a[j][j] - (0..j).map(|k| a[j][k] * a[j][k]).sum::<f64>();
            if d <= 0.0 {
                return None;
            }
            a[j][j] = d.sqrt();
            logdet += d.ln();
            for i in j + 1..n {
                let s: f64 = (0..j).map(|k| a[i][k] * a[j][k]).sum();
                a[i][j] = (a[i][j] - s) / a[j][j];
            }
        }
        Some(logdet)
    }

    fn likelihood<K: Kernel>(k: &K, nugget: f64, xs: &[[f64; 2]], z: &[f64]) -> Option<f64> {
        let n = xs.len();
        let dist = |i: usize, j: usize| (xs[i][0] - xs[j][0]).hypot(xs[i][1] - xs[j][1]);
        let mut a: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| if i == j { k.cov(0.0) + nugget } else { k.cov(dist(i, j)) }).collect()).collect();
        let logdet = cholesky(&mut a)?;
        let mut y = z.to_vec();
        for i in 0..n {
            let s: f64 = a[i][..i].iter().zip(&y).map(|(l, y)| l * y).sum();
            y[i] = (y[i] - s) / a[i][i];
        }
        Some(0.5 * (logdet + y.iter().map(|v| v * v).sum::<f64>()))
    }

    pub fn both(p: &[f64], #[constant] xs: &[[f64; 2]], #[constant] z: &[f64]) -> f64 {
        let (s, m) = (Spherical { sill: p[0], range: p[1] }, Matern { sill: p[0], range: 0.5 * p[1] });
        match (likelihood(&s, p[2], xs, z), likelihood(&m, p[2], xs, z)) {
            (Some(a), Some(b)) => a.min(b) + 0.1 * (a - b).abs(),
            (Some(v), None) | (None, Some(v)) => v,
            (None, None) => f64::INFINITY,
        }
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let xs = [[0.0, 0.0], [1.0, 0.2], [0.3, 1.1], [1.5, 1.4], [0.8, 0.7]];
    let z = [0.5, -0.2, 0.9, 0.1, 0.4];
    let p = [0.6, 1.7, 0.1];
    let g = gradient(krig::both::AD.with(&xs, &z), NoPrep, &AutoSource::new(), &p)?;
    check("87", &g, &fd(|p| krig::both(p, &xs, &z), &p));
    Ok(())
}
