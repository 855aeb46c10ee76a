//! Gaussian processes.

/// Marginal likelihood with a squared exponential kernel, Cholesky and two triangular solves.
mod marginal_likelihood {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod system {
        type Mat = Vec<Vec<f64>>;

        fn kernel_matrix(theta: &[f64], #[constant] xs: &[f64]) -> Mat {
            let n = xs.len();
            let (ell, sf, sn) = (theta[0].exp(), theta[1].exp(), theta[2].exp());
            let mut k = vec![vec![0.0; n]; n];
            for i in 0..n {
                for j in 0..n {
                    let d = (xs[i] - xs[j]) / ell;
                    k[i][j] = sf * sf * (-0.5 * d * d).exp();
                }
                k[i][i] += sn * sn;
            }
            k
        }

        fn cholesky(a: &Mat) -> Mat {
            let n = a.len();
            let mut l = vec![vec![0.0; n]; n];
            for i in 0..n {
                for j in 0..=i {
                    let mut s = a[i][j];
                    for k in 0..j {
                        s -= l[i][k] * l[j][k];
                    }
                    if i == j {
                        l[i][i] = s.sqrt();
                    } else {
                        l[i][j] = s / l[j][j];
                    }
                }
            }
            l
        }

        fn forward_solve(l: &Mat, #[constant] b: &[f64]) -> Vec<f64> {
            let mut z = b.to_vec();
            for i in 0..b.len() {
                for j in 0..i {
                    z[i] -= l[i][j] * z[j];
                }
                z[i] /= l[i][i];
            }
            z
        }

        pub fn nlml(theta: &[f64], #[constant] xs: &[f64], #[constant] ys: &[f64]) -> f64 {
            let k = kernel_matrix(theta, xs);
            let l = cholesky(&k);
            let z = forward_solve(&l, ys);
            let quad: f64 = z.iter().map(|v| v * v).sum();
            let logdet: f64 = l.iter().enumerate().map(|(i, row)| row[i].ln()).sum();
            0.5 * quad + logdet + 0.5 * xs.len() as f64 * (2.0 * std::f64::consts::PI).ln()
        }
    }

    #[test]
    fn marginal_likelihood() {
        scalar!(
            system::nlml,
            (&[0.0, 0.5, 1.1, 1.8, 2.2], &[0.1, 0.6, 0.9, 0.4, 0.2]),
            &[-0.2, 0.1, -1.0]
        );
    }
}

/// Sparse inducing-point approximation, trace term and quadratic form.
mod nystrom {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn rbf(a: f64, b: f64, ell: f64) -> f64 {
        let d = (a - b) / ell;
        (-0.5 * d * d).exp()
    }

    #[differentiable]
    fn inverse2(m: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
        let [[a, b], [c, d]] = m;
        let det = a * d - b * c;
        [[d / det, -b / det], [-c / det, a / det]]
    }

    /// x = (z0, z1, ell)
    #[differentiable]
    pub fn trace_gap(x: &[f64], #[constant] xs: &[f64]) -> f64 {
        let z = [x[0], x[1]];
        let ell = x[2];
        let mut kzz = [[0.0; 2]; 2];
        for i in 0..2 {
            for j in 0..2 {
                kzz[i][j] = rbf(z[i], z[j], ell) + if i == j { 1e-2 } else { 0.0 };
            }
        }
        let inv = inverse2(kzz);
        let mut gap = 0.0;
        for &p in xs {
            let k = [rbf(p, z[0], ell), rbf(p, z[1], ell)];
            let q = k[0] * (inv[0][0] * k[0] + inv[0][1] * k[1])
                + k[1] * (inv[1][0] * k[0] + inv[1][1] * k[1]);
            gap += 1.0 - q;
        }
        gap
    }

    #[test]
    fn nystrom() {
        scalar!(trace_gap, (&[0.0, 0.4, 0.8, 1.3, 1.9]), &[0.5, 1.6, 0.8]);
    }
}

/// Expected improvement of Bayesian optimisation, erf by a series of Abramowitz and Stegun.
mod expected_improvement {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod compute {
        use std::f64::consts::{PI, SQRT_2};

        fn erf(x: f64) -> f64 {
            let t = 1.0 / (1.0 + 0.3275911 * x.abs());
            let poly = t
                * (0.254829592
                    + t * (-0.284496736
                        + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
            let y = 1.0 - poly * (-x * x).exp();
            if x < 0.0 { -y } else { y }
        }

        fn mean_and_sd(x: f64, #[constant] grid: &[(f64, f64)]) -> (f64, f64) {
            let mut num = 0.0;
            let mut den = 0.2;
            for &(xi, yi) in grid {
                let w = (-2.0 * (x - xi) * (x - xi)).exp();
                num += w * yi;
                den += w;
            }
            (num / den, (1.0 / (1.0 + den)).sqrt())
        }

        pub fn acquisition(
            x: &[f64],
            #[constant] grid: &[(f64, f64)],
            #[constant] best: f64,
        ) -> f64 {
            let mut total = 0.0;
            for &xi in x.iter() {
                let (m, s) = mean_and_sd(xi, grid);
                let z = (best - m) / s;
                let pdf = (-0.5 * z * z).exp() / (2.0 * PI).sqrt();
                let cdf = 0.5 * (1.0 + erf(z / SQRT_2));
                total += (best - m) * cdf + s * pdf;
            }
            total
        }
    }

    #[test]
    fn expected_improvement() {
        let grid = [(0.0, 0.7), (0.8, 0.1), (1.5, 0.4)];
        scalar!(compute::acquisition, (&grid, 0.3), &[0.3, 1.2]);
    }
}

/// Multi-output coregionalisation: Kronecker structure with small dense algebra.
mod coregionalisation {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const N: usize = 3;
    const M: usize = 2 * N;

    #[differentiable]
    fn ldlt<const D: usize>(mut a: [[f64; D]; D]) -> ([[f64; D]; D], [f64; D]) {
        let mut diag = [0.0; D];
        for j in 0..D {
            diag[j] = a[j][j];
            for i in j + 1..D {
                let f = a[i][j] / diag[j];
                for k in j + 1..D {
                    a[i][k] -= f * a[j][k];
                }
                a[i][j] = f;
            }
        }
        (a, diag)
    }

    #[differentiable]
    pub fn neg_log_lik(x: &[f64], #[constant] t: &[f64; N], #[constant] y: &[f64; M]) -> f64 {
        let w = [x[0], x[1]];
        let kappa = [x[2].exp(), x[3].exp()];
        let ell = x[4].exp();
        let mut k = [[0.0; M]; M];
        for p in 0..2 {
            for q in 0..2 {
                let b = w[p] * w[q] + if p == q { kappa[p] } else { 0.0 };
                for i in 0..N {
                    for j in 0..N {
                        let d = (t[i] - t[j]) / ell;
                        let noise = if p == q && i == j { 0.1 } else { 0.0 };
                        k[p * N + i][q * N + j] = b * (-0.5 * d * d).exp() + noise;
                    }
                }
            }
        }
        let (l, d) = ldlt(k);
        let mut z = *y;
        let mut value = 0.0;
        for i in 0..M {
            for j in 0..i {
                z[i] -= l[i][j] * z[j];
            }
            value += 0.5 * (z[i] * z[i] / d[i] + d[i].ln());
        }
        value
    }

    #[test]
    fn coregionalisation() {
        let t = [0.0, 0.7, 1.6];
        let y = [0.2, 0.6, -0.1, 0.4, 0.9, 0.3];
        scalar!(neg_log_lik, (&t, &y), &[0.8, 0.5, -1.0, -0.6, -0.2]);
    }
}

/// Cholesky struct with methods, inline module.
mod cholesky_struct {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod gp {
        #[derive(Clone, Debug)]
        pub struct Cholesky {
            l: Vec<Vec<f64>>,
        }

        impl Cholesky {
            pub fn new(a: &[Vec<f64>]) -> Option<Self> {
                let n = a.len();
                let mut l = vec![vec![0.0; n]; n];
                for i in 0..n {
                    for j in 0..=i {
                        let dot: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
                        if i == j {
                            let d = a[i][i] - dot;
                            if d <= 0.0 {
                                return None;
                            }
                            l[i][i] = d.sqrt();
                        } else {
                            l[i][j] = (a[i][j] - dot) / l[j][j];
                        }
                    }
                }
                Some(Cholesky { l })
            }

            pub fn log_det(&self) -> f64 {
                2.0 * (0..self.l.len()).map(|i| self.l[i][i].ln()).sum::<f64>()
            }

            pub fn half_solve(&self, b: &[f64]) -> Vec<f64> {
                let mut z: Vec<f64> = Vec::with_capacity(b.len());
                for (i, bi) in b.iter().enumerate() {
                    let s: f64 = self.l[i].iter().zip(&z).map(|(l, z)| l * z).sum();
                    z.push((bi - s) / self.l[i][i]);
                }
                z
            }
        }

        pub struct Data {
            pub x: Vec<[f64; 2]>,
            pub y: Vec<f64>,
        }

        fn ard(p: &[f64; 2], q: &[f64; 2], ell: &[f64]) -> f64 {
            let r2: f64 = p
                .iter()
                .zip(q)
                .zip(ell)
                .map(|((a, b), l)| ((a - b) / l).powi(2))
                .sum();
            (-0.5 * r2).exp()
        }

        pub fn objective(theta: &[f64], #[constant] data: &Data) -> f64 {
            let ell: Vec<f64> = theta[..2].iter().map(|t| t.exp()).collect();
            let noise = theta[2].exp();
            let n = data.y.len();
            let k: Vec<Vec<f64>> = (0..n)
                .map(|i| {
                    (0..n)
                        .map(|j| {
                            ard(&data.x[i], &data.x[j], &ell) + if i == j { noise } else { 0.0 }
                        })
                        .collect()
                })
                .collect();
            match Cholesky::new(&k) {
                Some(ch) => {
                    let z = ch.half_solve(&data.y);
                    0.5 * z.iter().map(|v| v * v).sum::<f64>() + 0.5 * ch.log_det()
                }
                None => f64::INFINITY,
            }
        }
    }

    #[test]
    fn cholesky_struct() {
        let data = gp::Data {
            x: vec![[0.0, 0.3], [0.5, 1.0], [1.2, 0.2], [0.9, 1.5]],
            y: vec![0.3, 0.8, -0.2, 1.1],
        };
        scalar!(gp::objective, (&data), &[-0.1, 0.2, -1.5]);
    }
}

/// Conjugate gradients on the kernel system instead of a factorisation.
mod cg_solve {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    type Mat = Vec<Vec<f64>>;

    #[differentiable]
    fn matvec(a: &Mat, x: &[f64]) -> Vec<f64> {
        a.iter()
            .map(|row| row.iter().zip(x).map(|(p, q)| p * q).sum())
            .collect()
    }

    #[differentiable]
    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(p, q)| p * q).sum()
    }

    #[differentiable]
    fn cg(a: &Mat, b: &[f64], iters: usize) -> Vec<f64> {
        let mut x = vec![0.0; b.len()];
        let mut r = b.to_vec();
        let mut p = r.clone();
        let mut rs = dot(&r, &r);
        for _ in 0..iters {
            let ap = matvec(a, &p);
            let alpha = rs / dot(&p, &ap);
            for i in 0..x.len() {
                x[i] += alpha * p[i];
                r[i] -= alpha * ap[i];
            }
            let new = dot(&r, &r);
            let beta = new / rs;
            p = r.iter().zip(&p).map(|(ri, pi)| ri + beta * pi).collect();
            rs = new;
        }
        x
    }

    #[differentiable]
    pub fn weights(x: &[f64], #[constant] locations: &[f64]) -> Vec<f64> {
        let (ell, noise) = (x[0], x[1]);
        let targets = &x[2..];
        let k: Mat = locations
            .iter()
            .enumerate()
            .map(|(i, a)| {
                locations
                    .iter()
                    .enumerate()
                    .map(|(j, b)| (-(a - b).abs() / ell).exp() + if i == j { noise } else { 0.0 })
                    .collect()
            })
            .collect();
        cg(&k, targets, 3)
    }

    #[test]
    fn cg_solve() {
        vector!(
            weights,
            (&[0.0, 0.8, 1.7, 2.1]),
            &[0.9, 0.4, 0.5, 0.2, -0.3, 0.8]
        );
    }
}
