//! Gaussian processes.

/// Random Fourier features regression, ridge solve of normal equations.
mod fourier_features {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    static OMEGA: [f64; 3] = [0.7, -1.3, 2.1];
    static PHASE: [f64; 3] = [0.2, 1.1, 2.5];

    #[differentiable]
    fn features(x: f64, ell: f64) -> [f64; 3] {
        let mut f = [0.0; 3];
        for (fi, (w, b)) in f.iter_mut().zip(OMEGA.iter().zip(PHASE.iter())) {
            *fi = (w * x / ell + b).cos();
        }
        f
    }

    #[differentiable]
    fn solve3(mut a: [[f64; 3]; 3], mut b: [f64; 3]) -> [f64; 3] {
        for k in 0..3 {
            for i in (k + 1)..3 {
                let f = a[i][k] / a[k][k];
                for j in k..3 {
                    a[i][j] -= f * a[k][j];
                }
                b[i] -= f * b[k];
            }
        }
        let mut x = [0.0; 3];
        for i in (0..3).rev() {
            let mut s = b[i];
            for j in (i + 1)..3 {
                s -= a[i][j] * x[j];
            }
            x[i] = s / a[i][i];
        }
        x
    }

    #[differentiable]
    pub fn prediction(x: &[f64], #[constant] data: &[(f64, f64)]) -> f64 {
        let (ell, lambda, query) = (x[0], x[1], x[2]);
        let mut a = [[0.0; 3]; 3];
        let mut b = [0.0; 3];
        for i in 0..3 {
            a[i][i] = lambda;
        }
        for (t, y) in data {
            let phi = features(*t, ell);
            for i in 0..3 {
                b[i] += phi[i] * y;
                for j in 0..3 {
                    a[i][j] += phi[i] * phi[j];
                }
            }
        }
        let w = solve3(a, b);
        features(query, ell)
            .iter()
            .zip(w.iter())
            .map(|(p, q)| p * q)
            .sum()
    }

    #[test]
    fn fourier_features() {
        let data = [(0.0, 0.3), (0.4, 0.8), (0.9, 0.9), (1.5, 0.2), (2.0, -0.5)];
        scalar!(prediction, (&data), &[0.9, 0.5, 1.2]);
    }
}
