//! Econometrics, filters and inference: models as structs.

/// Moments of a model with instruments.
mod panel_iv {
    use crate::check::scalar;
    use di::prelude::*;

    fn n_moments(z: &[Vec<f64>]) -> usize {
        z.first().map_or(0, |row| row.len())
    }

    #[differentiable]
    fn predict(beta: &[f64], #[constant] row: &[f64]) -> f64 {
        beta.iter().zip(row.iter()).map(|(b, x)| b * x).sum()
    }

    #[differentiable]
    fn moments(
        beta: &[f64],
        #[constant] y: &[f64],
        #[constant] x: &[Vec<f64>],
        #[constant] z: &[Vec<f64>],
    ) -> Vec<f64> {
        let m = n_moments(z);
        let n = y.len() as f64;
        let mut g = vec![0.0; m];
        for (i, yi) in y.iter().enumerate() {
            let u = yi - predict(beta, &x[i]);
            for j in 0..m {
                g[j] += z[i][j] * u / n;
            }
        }
        g
    }

    #[differentiable]
    pub fn gmm_objective(
        beta: &[f64],
        #[constant] y: &[f64],
        #[constant] x: &[Vec<f64>],
        #[constant] z: &[Vec<f64>],
        #[constant] w: &[Vec<f64>],
    ) -> f64 {
        let g = moments(beta, y, x, z);
        let mut q = 0.0;
        for (gi, wi) in g.iter().zip(w) {
            let wg: f64 = wi.iter().zip(&g).map(|(a, b)| a * b).sum();
            q += gi * wg;
        }
        y.len() as f64 * q
    }

    #[test]
    fn panel_iv() {
        let x = vec![vec![1.0, 0.5], vec![1.0, 1.5], vec![1.0, -0.7]];
        let z = vec![
            vec![1.0, 0.3, 0.2],
            vec![1.0, 1.1, -0.4],
            vec![1.0, -0.9, 0.5],
        ];
        let w = vec![
            vec![1.0, 0.1, 0.0],
            vec![0.1, 0.8, 0.2],
            vec![0.0, 0.2, 0.6],
        ];
        scalar!(gmm_objective, (&[1.0, 2.5, -0.2], &x, &z, &w), &[0.3, 0.8]);
    }
}

/// Asymmetric volatility with innovations of Student.
mod garch {
    use crate::check::scalar;
    use di::prelude::*;
    use std::f64::consts::PI;

    #[differentiable]
    pub mod garch {
        use super::PI;

        /// Lanczos approximation.
        fn ln_gamma(x: f64) -> f64 {
            const G: f64 = 7.0;
            const C: [f64; 9] = [
                0.99999999999980993,
                676.5203681218851,
                -1259.1392167224028,
                771.32342877765313,
                -176.61502916214059,
                12.507343278686905,
                -0.13857109526572012,
                9.9843695780195716e-6,
                1.5056327351493116e-7,
            ];
            let x = x - 1.0;
            let mut a = C[0];
            let t = x + G + 0.5;
            for (i, c) in C.iter().enumerate().skip(1) {
                a += c / (x + i as f64);
            }
            0.5 * (2.0 * PI).ln() + (x + 0.5) * t.ln() - t + a.ln()
        }

        #[derive(Debug, Clone)]
        pub struct Garch {
            pub mu: f64,
            pub omega: f64,
            pub alpha: f64,
            pub gamma: f64,
            pub beta: f64,
            pub nu: f64,
        }

        impl Garch {
            /// From an unconstrained vector.
            pub fn from_unconstrained(theta: &[f64]) -> Self {
                let logistic = |v: f64| 1.0 / (1.0 + (-v).exp());
                Self {
                    mu: theta[0],
                    omega: theta[1].exp(),
                    alpha: 0.3 * logistic(theta[2]),
                    gamma: 0.3 * logistic(theta[3]),
                    beta: logistic(theta[4]),
                    nu: 2.0 + theta[5].exp(),
                }
            }

            fn log_density(&self, e: f64, h: f64) -> f64 {
                let nu = self.nu;
                ln_gamma((nu + 1.0) / 2.0)
                    - ln_gamma(nu / 2.0)
                    - 0.5 * (PI * (nu - 2.0)).ln()
                    - 0.5 * h.ln()
                    - (nu + 1.0) / 2.0 * (1.0 + e * e / (h * (nu - 2.0))).ln()
            }

            pub fn log_likelihood(&self, #[constant] returns: &[f64]) -> f64 {
                let variance =
                    returns.iter().map(|r| r.powi(2)).sum::<f64>() / returns.len() as f64;
                let mut h = variance + 0.0 * self.omega;
                let mut ll = 0.0;
                for &r in returns {
                    let e = r - self.mu;
                    ll += self.log_density(e, h);
                    let leverage = if e < 0.0 { self.gamma } else { 0.0 };
                    h = self.omega + (self.alpha + leverage) * e * e + self.beta * h;
                }
                ll
            }
        }

        pub fn objective(theta: &[f64], #[constant] returns: &[f64]) -> f64 {
            let model = Garch::from_unconstrained(theta);
            -model.log_likelihood(returns) / returns.len() as f64
        }
    }

    #[test]
    fn garch() {
        use garch::objective;
        let returns = [0.3, -0.8, 0.5, 1.1, -1.4, 0.2];
        scalar!(objective, (&returns), &[0.05, -1.0, -0.5, -0.3, 1.2, 1.5]);
    }
}

/// A local linear trend with missing observations.
mod kalman {
    use crate::check::scalar;
    use di::prelude::*;

    #[differentiable]
    pub mod kalman {
        pub type Mat2 = [[f64; 2]; 2];
        pub type Vec2 = [f64; 2];

        fn matmul(a: &Mat2, b: &Mat2) -> Mat2 {
            let mut c = [[0.0; 2]; 2];
            for i in 0..2 {
                for j in 0..2 {
                    for k in 0..2 {
                        c[i][j] += a[i][k] * b[k][j];
                    }
                }
            }
            c
        }

        fn transpose(a: &Mat2) -> Mat2 {
            [[a[0][0], a[1][0]], [a[0][1], a[1][1]]]
        }

        fn add(a: &Mat2, b: &Mat2) -> Mat2 {
            std::array::from_fn(|i| std::array::from_fn(|j| a[i][j] + b[i][j]))
        }

        #[derive(Clone, Debug)]
        pub struct Filter {
            pub mean: Vec2,
            pub cov: Mat2,
        }

        impl Filter {
            fn predict(&mut self, f: &Mat2, q: &Mat2) {
                self.mean = [
                    f[0][0] * self.mean[0] + f[0][1] * self.mean[1],
                    f[1][0] * self.mean[0] + f[1][1] * self.mean[1],
                ];
                self.cov = add(&matmul(&matmul(f, &self.cov), &transpose(f)), q);
            }

            /// Returns the contribution to the log likelihood.
            fn update(&mut self, y: f64, r: f64) -> f64 {
                let innovation = y - self.mean[0];
                let s = self.cov[0][0] + r;
                let gain = [self.cov[0][0] / s, self.cov[1][0] / s];
                for (m, k) in self.mean.iter_mut().zip(gain) {
                    *m += k * innovation;
                }
                let old = self.cov;
                for i in 0..2 {
                    for j in 0..2 {
                        self.cov[i][j] -= gain[i] * old[0][j];
                    }
                }
                -0.5 * ((2.0 * std::f64::consts::PI * s).ln() + innovation * innovation / s)
            }
        }

        pub fn log_likelihood(theta: &[f64; 3], #[constant] ys: &[Option<f64>]) -> f64 {
            let [level, slope, noise] = theta.map(f64::exp);
            let f = [[1.0, 1.0], [0.0, 1.0]];
            let q = [[level, 0.0], [0.0, slope]];
            let mut filter = Filter {
                mean: [0.0, 0.0],
                cov: [[10.0, 0.0], [0.0, 10.0]],
            };
            let mut ll = 0.0;
            for y in ys {
                filter.predict(&f, &q);
                if let Some(y) = y {
                    ll += filter.update(*y, noise);
                }
            }
            ll
        }
    }

    #[test]
    fn kalman() {
        use kalman::log_likelihood;
        let ys = [Some(1.0), Some(1.4), None, Some(2.3), Some(2.2)];
        scalar!(log_likelihood, (&ys), &[-0.5, -1.2, -0.8]);
    }
}

/// The forward recursion of a hidden Markov model, in logarithms.
mod hmm {
    use crate::check::scalar;
    use di::prelude::*;

    #[differentiable]
    fn log_sum_exp(v: &[f64]) -> f64 {
        let m = v.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
        m + v.iter().map(|x| (x - m).exp()).sum::<f64>().ln()
    }

    #[differentiable]
    fn log_softmax(v: &[f64]) -> Vec<f64> {
        let z = log_sum_exp(v);
        v.iter().map(|x| x - z).collect()
    }

    #[differentiable]
    fn log_normal(x: f64, mean: f64, log_sd: f64) -> f64 {
        let z = (x - mean) / log_sd.exp();
        -0.5 * z * z - log_sd - 0.5 * (2.0 * std::f64::consts::PI).ln()
    }

    /// `theta`: initial logits, rows of transition logits, means, log standard deviations.
    #[differentiable]
    pub fn forward(theta: &[f64], #[constant] k: usize, #[constant] obs: &[f64]) -> f64 {
        let (initial, rest) = theta.split_at(k);
        let (transitions, rest) = rest.split_at(k * k);
        let (means, log_sds) = rest.split_at(k);
        let log_pi = log_softmax(initial);
        let log_a: Vec<Vec<f64>> = transitions.chunks(k).map(|row| log_softmax(row)).collect();

        let mut alpha: Vec<f64> = (0..k)
            .map(|s| log_pi[s] + log_normal(obs[0], means[s], log_sds[s]))
            .collect();
        for &o in &obs[1..] {
            let mut next = Vec::with_capacity(k);
            for s in 0..k {
                let terms: Vec<f64> = alpha
                    .iter()
                    .enumerate()
                    .map(|(r, a)| a + log_a[r][s])
                    .collect();
                next.push(log_sum_exp(&terms) + log_normal(o, means[s], log_sds[s]));
            }
            alpha = next;
        }
        log_sum_exp(&alpha)
    }

    #[test]
    fn hmm() {
        let theta = [0.2, -0.1, 0.5, -0.3, -0.4, 0.6, -1.0, 1.2, 0.1, -0.2];
        scalar!(forward, (2, &[-0.8, 0.3, 1.5, 1.1]), &theta);
    }
}

/// The evidence of a Gaussian process, with an error where a matrix is singular.
mod gp {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    pub mod gp {
        #[derive(Clone, Debug)]
        pub struct Hyper {
            pub log_scales: Vec<f64>,
            pub log_signal: f64,
            pub log_noise: f64,
        }

        #[derive(Debug)]
        pub enum GpError {
            NotPositiveDefinite(usize),
        }

        fn matern52(r: f64) -> f64 {
            let s = 5f64.sqrt() * r;
            (1.0 + s + s * s / 3.0) * (-s).exp()
        }

        fn kernel(h: &Hyper, #[constant] a: &[f64], #[constant] b: &[f64]) -> f64 {
            let r2: f64 = a
                .iter()
                .zip(b)
                .zip(&h.log_scales)
                .map(|((x, y), l)| ((x - y) / l.exp()).powi(2))
                .sum();
            (2.0 * h.log_signal).exp() * matern52((r2 + 1e-12).sqrt())
        }

        fn cholesky(mut a: Vec<Vec<f64>>) -> Result<Vec<Vec<f64>>, GpError> {
            let n = a.len();
            for j in 0..n {
                for k in 0..j {
                    for i in j..n {
                        a[i][j] -= a[i][k] * a[j][k];
                    }
                }
                if a[j][j] <= 0.0 {
                    return Err(GpError::NotPositiveDefinite(j));
                }
                let d = a[j][j].sqrt();
                for i in j..n {
                    a[i][j] /= d;
                }
            }
            Ok(a)
        }

        fn solve_lower(l: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
            let mut z: Vec<f64> = Vec::with_capacity(b.len());
            for i in 0..b.len() {
                let s: f64 = l[i][..i].iter().zip(&z).map(|(a, b)| a * b).sum();
                z.push((b[i] - s) / l[i][i]);
            }
            z
        }

        fn try_log_likelihood(
            h: &Hyper,
            #[constant] xs: &[Vec<f64>],
            #[constant] ys: &[f64],
        ) -> Result<f64, GpError> {
            let n = xs.len();
            let mut k = vec![vec![0.0; n]; n];
            for i in 0..n {
                for j in 0..=i {
                    let v = kernel(h, &xs[i], &xs[j]);
                    k[i][j] = v;
                    k[j][i] = v;
                }
                k[i][i] += (2.0 * h.log_noise).exp();
            }
            let l = cholesky(k)?;
            let z = solve_lower(&l, ys);
            let log_det: f64 = (0..n).map(|i| l[i][i].ln()).sum();
            let quad: f64 = z.iter().map(|v| v * v).sum();
            Ok(-0.5 * quad - log_det - 0.5 * n as f64 * (2.0 * std::f64::consts::PI).ln())
        }

        pub fn log_likelihood(
            h: &Hyper,
            #[constant] xs: &[Vec<f64>],
            #[constant] ys: &[f64],
        ) -> f64 {
            match try_log_likelihood(h, xs, ys) {
                Ok(v) => v,
                Err(_) => f64::NEG_INFINITY,
            }
        }
    }

    #[test]
    fn gp() {
        use gp::{Hyper, log_likelihood};
        let xs = vec![vec![0.0, 0.3], vec![0.8, -0.2], vec![1.5, 0.9]];
        let ys = [0.3, -0.5, 0.9];
        let make = |q: &[f64; 4]| Hyper {
            log_scales: vec![q[0], q[1]],
            log_signal: q[2],
            log_noise: q[3],
        };
        let list = |h: &Hyper| vec![h.log_scales[0], h.log_scales[1], h.log_signal, h.log_noise];
        let call = |h: &Hyper| log_likelihood(h, &xs, &ys);
        made!(
            log_likelihood::AD.with(&xs, &ys),
            call,
            make,
            list,
            &[0.1, -0.2, 0.2, -1.0]
        );
    }
}

/// A mixture of von Mises densities whose constant is an integral.
mod mcmc_mixture {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    pub mod mixture {
        use std::f64::consts::PI;

        #[derive(Clone, Debug)]
        pub struct Component {
            pub logit: f64,
            pub mean: f64,
            pub log_kappa: f64,
        }

        fn simpson(f: impl Fn(f64) -> f64, a: f64, b: f64, n: usize) -> f64 {
            let h = (b - a) / n as f64;
            let mut s = f(a) + f(b);
            for i in 1..n {
                let w = if i % 2 == 1 { 4.0 } else { 2.0 };
                s += w * f(a + i as f64 * h);
            }
            s * h / 3.0
        }

        fn log_bessel_i0(kappa: f64) -> f64 {
            (simpson(|t| (kappa * (t.cos() - 1.0)).exp(), 0.0, PI, 32) / PI).ln() + kappa
        }

        impl Component {
            fn log_pdf(&self, angle: f64) -> f64 {
                let kappa = self.log_kappa.exp();
                kappa * (angle - self.mean).cos() - (2.0 * PI).ln() - log_bessel_i0(kappa)
            }
        }

        fn log_sum_exp(values: impl Iterator<Item = f64> + Clone) -> f64 {
            let max = values.clone().fold(f64::NEG_INFINITY, f64::max);
            max + values.map(|v| (v - max).exp()).sum::<f64>().ln()
        }

        pub fn neg_log_likelihood(components: &[Component], #[constant] angles: &[f64]) -> f64 {
            let normalizer = log_sum_exp(components.iter().map(|c| c.logit));
            let mut total = 0.0;
            for &a in angles {
                total -= log_sum_exp(
                    components
                        .iter()
                        .map(|c| c.logit - normalizer + c.log_pdf(a)),
                );
            }
            total
        }
    }

    #[test]
    fn mcmc_mixture() {
        use mixture::{Component, neg_log_likelihood};
        let angles = [0.3, 1.2, -0.9, 2.2];
        let c = |q: &[f64]| Component {
            logit: q[0],
            mean: q[1],
            log_kappa: q[2],
        };
        let make = |q: &[f64; 6]| vec![c(&q[..3]), c(&q[3..])];
        let list = |c: &Vec<Component>| {
            c.iter()
                .flat_map(|c| [c.logit, c.mean, c.log_kappa])
                .collect::<Vec<f64>>()
        };
        let call = |c: &Vec<Component>| neg_log_likelihood(c, &angles);
        made!(
            neg_log_likelihood::AD.with(&angles),
            call,
            make,
            list,
            &[0.3, 0.5, 0.4, -0.3, -0.8, 0.1]
        );
    }
}

/// A hierarchy of regressions whose parameters a struct borrows.
mod hierarchical {
    use crate::check::scalar;
    use di::prelude::*;

    #[differentiable]
    pub mod hierarchical {
        pub struct Group {
            pub x: Vec<f64>,
            pub y: Vec<f64>,
        }

        pub struct Unpacked<'a> {
            mu_a: f64,
            mu_b: f64,
            tau_a: f64,
            tau_b: f64,
            sigma: f64,
            za: &'a [f64],
            zb: &'a [f64],
        }

        fn unpack(theta: &[f64], n_groups: usize) -> Unpacked<'_> {
            let (head, tail) = theta.split_at(5);
            let (za, zb) = tail.split_at(n_groups);
            Unpacked {
                mu_a: head[0],
                mu_b: head[1],
                tau_a: head[2].exp(),
                tau_b: head[3].exp(),
                sigma: head[4].exp(),
                za,
                zb,
            }
        }

        fn normal_lpdf(x: f64, mean: f64, sd: f64) -> f64 {
            let z = (x - mean) / sd;
            -0.5 * z * z - sd.ln()
        }

        fn half_cauchy_lpdf(x: f64, scale: f64) -> f64 {
            -(1.0 + (x / scale).powi(2)).ln()
        }

        pub fn log_posterior(theta: &[f64], #[constant] groups: &[Group]) -> f64 {
            let u = unpack(theta, groups.len());
            let mut lp = 0.0;
            lp += normal_lpdf(u.mu_a, 0.0, 10.0) + normal_lpdf(u.mu_b, 0.0, 10.0);
            for tau in [u.tau_a, u.tau_b, u.sigma] {
                lp += half_cauchy_lpdf(tau, 2.5) + tau.ln();
            }
            for (g, group) in groups.iter().enumerate() {
                lp += normal_lpdf(u.za[g], 0.0, 1.0) + normal_lpdf(u.zb[g], 0.0, 1.0);
                let a = u.mu_a + u.tau_a * u.za[g];
                let b = u.mu_b + u.tau_b * u.zb[g];
                for (x, y) in group.x.iter().zip(&group.y) {
                    lp += normal_lpdf(*y, a + b * x, u.sigma);
                }
            }
            lp
        }
    }

    #[test]
    fn hierarchical() {
        use hierarchical::{Group, log_posterior};
        let groups = vec![
            Group {
                x: vec![0.1, 0.9],
                y: vec![0.5, 1.2],
            },
            Group {
                x: vec![-0.4, 0.6],
                y: vec![0.2, 0.9],
            },
        ];
        scalar!(
            log_posterior,
            (&groups),
            &[0.4, 0.7, -0.5, -0.3, -0.2, 0.3, -0.4, 0.5, 0.1]
        );
    }
}
