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

/// Posterior mean and variance at test points, flat row-major matrix and an index helper.
mod posterior {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const XS: [f64; 4] = [0.0, 0.7, 1.5, 2.4];
    const YS: [f64; 4] = [0.2, 0.8, 0.5, -0.3];

    fn at(i: usize, j: usize, n: usize) -> usize {
        i * n + j
    }

    #[differentiable]
    fn matern32(d: f64, ell: f64, var: f64) -> f64 {
        let r = 3f64.sqrt() * d.abs() / ell;
        var * (1.0 + r) * (-r).exp()
    }

    #[differentiable]
    fn cholesky_in_place(a: &mut [f64], n: usize) {
        for j in 0..n {
            let mut d = a[at(j, j, n)];
            for k in 0..j {
                d -= a[at(j, k, n)] * a[at(j, k, n)];
            }
            let d = d.sqrt();
            a[at(j, j, n)] = d;
            for i in j + 1..n {
                let mut s = a[at(i, j, n)];
                for k in 0..j {
                    s -= a[at(i, k, n)] * a[at(j, k, n)];
                }
                a[at(i, j, n)] = s / d;
            }
        }
    }

    #[differentiable]
    fn solve(l: &[f64], b: &[f64], n: usize) -> Vec<f64> {
        let mut x = b.to_vec();
        for i in 0..n {
            for k in 0..i {
                x[i] = x[i] - l[at(i, k, n)] * x[k];
            }
            x[i] /= l[at(i, i, n)];
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                x[i] = x[i] - l[at(k, i, n)] * x[k];
            }
            x[i] /= l[at(i, i, n)];
        }
        x
    }

    #[differentiable]
    pub fn predict(x: &[f64]) -> Vec<f64> {
        let (ell, var, noise) = (x[0], x[1], x[2]);
        let n = XS.len();
        let mut k = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                k[at(i, j, n)] = matern32(XS[i] - XS[j], ell, var);
            }
            k[at(i, i, n)] += noise;
        }
        cholesky_in_place(&mut k, n);
        let ks: Vec<f64> = XS.iter().map(|xi| matern32(x[3] - xi, ell, var)).collect();
        let alpha = solve(&k, &YS, n);
        let beta = solve(&k, &ks, n);
        let mean: f64 = ks.iter().zip(&alpha).map(|(a, b)| a * b).sum();
        let reduction: f64 = ks.iter().zip(&beta).map(|(a, b)| a * b).sum();
        vec![mean, var - reduction]
    }

    #[test]
    fn posterior() {
        vector!(predict, (), &[0.9, 1.2, 0.1, 1.1]);
    }
}

/// Rational quadratic kernel with hyperpriors, packed lower triangle, inline module.
mod packed_triangle {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod gp {
        #[derive(Debug, Clone)]
        pub struct Hyper {
            length: f64,
            alpha: f64,
            noise: f64,
        }

        impl From<&[f64]> for Hyper {
            fn from(x: &[f64]) -> Hyper {
                Hyper {
                    length: x[0].exp(),
                    alpha: x[1].exp(),
                    noise: x[2].exp(),
                }
            }
        }

        fn idx(i: usize, j: usize) -> usize {
            i * (i + 1) / 2 + j
        }

        fn gram(h: &Hyper, #[constant] xs: &[f64]) -> Vec<f64> {
            let n = xs.len();
            let mut k = Vec::with_capacity(n * (n + 1) / 2);
            for i in 0..n {
                for j in 0..=i {
                    let r2 = (xs[i] - xs[j]).powi(2);
                    let v = (1.0 + r2 / (2.0 * h.alpha * h.length * h.length)).powf(-h.alpha);
                    k.push(if i == j { v + h.noise } else { v });
                }
            }
            k
        }

        fn factor(a: &mut Vec<f64>, n: usize) {
            for j in 0..n {
                for k in 0..j {
                    for i in j..n {
                        let s = a[idx(i, k)] * a[idx(j, k)];
                        a[idx(i, j)] -= s;
                    }
                }
                let d = a[idx(j, j)].sqrt();
                for i in j..n {
                    a[idx(i, j)] /= d;
                }
            }
        }

        pub fn log_posterior(x: &[f64], #[constant] xs: &[f64], #[constant] ys: &[f64]) -> f64 {
            let h = Hyper::from(x);
            let n = xs.len();
            let mut l = gram(&h, xs);
            factor(&mut l, n);
            let mut lp = -0.5 * x.iter().map(|t| t * t).sum::<f64>();
            let mut z = vec![0.0; n];
            for i in 0..n {
                let mut s = ys[i];
                for j in 0..i {
                    s -= l[idx(i, j)] * z[j];
                }
                z[i] = s / l[idx(i, i)];
                lp -= 0.5 * z[i] * z[i] + l[idx(i, i)].ln();
            }
            lp
        }
    }

    #[test]
    fn packed_triangle() {
        scalar!(
            gp::log_posterior,
            (&[0.1, 0.7, 1.2, 2.0], &[0.2, 0.7, 0.5, -0.4]),
            &[0.1, 0.3, -1.2]
        );
    }
}

// E0446 private type `kernel_enum::Problem` in public interface
/// Kernel composition by an enum tree evaluated with recursion-free sums; leave-one-out error.
mod kernel_enum {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, Debug)]
    enum Kernel {
        Rbf,
        Periodic,
        Linear,
    }

    struct Problem {
        parts: Vec<Kernel>,
        x: Vec<f64>,
        y: Vec<f64>,
        jitter: f64,
    }

    #[differentiable]
    fn eval(kind: Kernel, p: &[f64], a: f64, b: f64) -> f64 {
        match kind {
            Kernel::Rbf => (-(a - b).powi(2) / (2.0 * p[0] * p[0])).exp(),
            Kernel::Periodic => {
                let s = (std::f64::consts::PI * (a - b) / p[1]).sin();
                (-2.0 * s * s).exp()
            }
            Kernel::Linear => p[2] * a * b,
        }
    }

    #[differentiable]
    fn gauss_solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
        let n = b.len();
        for k in 0..n {
            for i in k + 1..n {
                let f = a[i][k] / a[k][k];
                for j in k..n {
                    a[i][j] -= f * a[k][j];
                }
                b[i] -= f * b[k];
            }
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                b[i] -= a[i][j] * b[j];
            }
            b[i] /= a[i][i];
        }
        b
    }

    #[differentiable]
    pub fn data_fit(p: &[f64], #[constant] prob: &Problem) -> f64 {
        let n = prob.x.len();
        let mut k = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..n {
                k[i][j] = prob
                    .parts
                    .iter()
                    .map(|kind| eval(*kind, p, prob.x[i], prob.x[j]))
                    .sum();
            }
            k[i][i] += prob.jitter;
        }
        let alpha = gauss_solve(k, prob.y.clone());
        alpha.iter().zip(&prob.y).map(|(a, y)| a * y).sum()
    }

    #[test]
    fn kernel_enum() {
        let prob = Problem {
            parts: vec![Kernel::Rbf, Kernel::Periodic, Kernel::Linear],
            x: vec![0.1, 0.6, 1.0, 1.7],
            y: vec![0.5, 0.9, 0.7, 1.2],
            jitter: 0.3,
        };
        scalar!(data_fit, (&prob), &[0.8, 1.3, 0.4]);
    }
}
