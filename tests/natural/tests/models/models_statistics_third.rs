//! Models statistics: programs of a third collection.

/// GARCH(1,1) with Student t innovations.
mod garch {
    use di::prelude::*;

    #[differentiable]
    fn ln_gamma(x: f64) -> f64 {
        const G: [f64; 6] = [
            76.18009172947146,
            -86.50532032941677,
            24.01409824083091,
            -1.231739572450155,
            0.1208650973866179e-2,
            -0.5395239384953e-5,
        ];
        let mut y = x;
        let tmp = x + 5.5 - (x + 0.5) * (x + 5.5).ln();
        let mut ser = 1.000000000190015;
        for g in G {
            y += 1.0;
            ser += g / y;
        }
        -tmp + (2.5066282746310005 * ser / x).ln()
    }

    #[differentiable]
    fn garch_nll(theta: &[f64], #[constant] returns: &[f64]) -> f64 {
        let (omega, alpha, beta) = (theta[0].exp(), theta[1], theta[2]);
        let nu = 2.0 + theta[3].exp();
        let n = returns.len();
        let mut h = Vec::with_capacity(n);
        h.push(returns.iter().map(|r| r * r).sum::<f64>() / n as f64);
        for t in 1..n {
            h.push(omega + alpha * returns[t - 1].powi(2) + beta * h[t - 1]);
        }
        let c = ln_gamma((nu + 1.0) / 2.0)
            - ln_gamma(nu / 2.0)
            - 0.5 * (std::f64::consts::PI * (nu - 2.0)).ln();
        let mut nll = 0.0;
        for (r, ht) in returns.iter().zip(h.iter()) {
            nll -= c - 0.5 * ht.ln() - (nu + 1.0) / 2.0 * (1.0 + r * r / (ht * (nu - 2.0))).ln();
        }
        nll
    }

    #[test]
    fn garch() {
        let r = [0.5, -1.2, 0.3, 0.9, -0.4, 1.6];
        crate::check::scalar!(garch_nll, (&r), &vec![-1.5, 0.12, 0.7, 1.2]);
    }
}

/// ARMA model with exogenous terms: conditional sum of squares.
mod arma {
    use di::prelude::*;

    #[derive(Clone, Debug, Default, Differentiable)]
    struct Arma {
        ar: Vec<f64>,
        ma: Vec<f64>,
        mean: f64,
        exog: Option<f64>,
    }

    #[differentiable]
    impl Arma {
        fn residuals(&self, #[constant] y: &[f64], #[constant] z: &[f64]) -> Vec<f64> {
            let mut eps: Vec<f64> = Vec::new();
            for t in 0..y.len() {
                let mut pred = self.mean;
                for (lag, phi) in self.ar.iter().enumerate() {
                    if t > lag {
                        pred += phi * (y[t - lag - 1] - self.mean);
                    }
                }
                for (lag, theta) in self.ma.iter().enumerate() {
                    if let Some(e) = t.checked_sub(lag + 1).map(|k| eps[k]) {
                        pred += theta * e;
                    }
                }
                if let Some(b) = self.exog {
                    pred += b * z[t];
                }
                eps.push(y[t] - pred);
            }
            eps
        }

        fn css(&self, #[constant] y: &[f64], #[constant] z: &[f64]) -> f64 {
            let e = self.residuals(y, z);
            e.iter().map(|e| e * e).sum::<f64>() / e.len() as f64
        }
    }

    #[test]
    fn arma() {
        let y = [0.2, 0.5, 0.1, -0.3, 0.4, 0.6];
        let z = [1.0, 0.0, 1.0, 0.5, 0.0, 1.0];
        let make = |q: &[f64; 4]| Arma {
            ar: vec![q[0]],
            ma: vec![q[1]],
            mean: q[2],
            exog: Some(q[3]),
        };
        let list = |a: &Arma| vec![a.ar[0], a.ma[0], a.mean, a.exog.unwrap()];
        crate::check::made!(
            Arma::css_ad.with(&y, &z),
            |a: &Arma| a.css(&y, &z),
            make,
            list,
            &[0.4, 0.3, 0.1, 0.2]
        );
    }
}

/// Bayesian logistic regression with optional priors.
mod logistic_with_priors {
    use di::prelude::*;

    #[differentiable]
    mod logistic {
        #[derive(Clone, Copy, Debug)]
        pub enum Prior {
            Flat,
            Normal { sd: f64 },
            Laplace { scale: f64 },
        }

        fn log_prior(b: f64, prior: &Prior) -> f64 {
            match prior {
                Prior::Flat => 0.0,
                Prior::Normal { sd } => -0.5 * (b / sd).powi(2),
                Prior::Laplace { scale } => -b.abs() / scale,
            }
        }

        fn log1pexp(x: f64) -> f64 {
            if x > 30.0 {
                return x;
            }
            x.exp().ln_1p()
        }

        pub fn log_posterior(
            beta: &[f64],
            #[constant] rows: &[Vec<f64>],
            #[constant] labels: &[bool],
            #[constant] priors: &[Prior],
        ) -> f64 {
            let mut lp = 0.0;
            for (row, label) in rows.iter().zip(labels) {
                let eta = row.iter().zip(beta).fold(0.0, |acc, (x, b)| acc + x * b);
                lp += if *label { eta } else { 0.0 } - log1pexp(eta);
            }
            for (i, b) in beta.iter().enumerate() {
                lp += log_prior(*b, &priors[i]);
            }
            lp
        }
    }

    #[test]
    fn logistic_with_priors() {
        use logistic::Prior;
        let rows = [
            vec![1.0, 0.3, -1.0],
            vec![1.0, -0.8, 0.4],
            vec![1.0, 1.4, 0.2],
        ];
        let priors = [
            Prior::Flat,
            Prior::Normal { sd: 2.0 },
            Prior::Laplace { scale: 0.5 },
        ];
        crate::check::scalar!(
            logistic::log_posterior,
            (&rows, &[true, false, true], &priors),
            &vec![0.1, 0.7, -0.4]
        );
    }
}

/// Tobit and probit likelihoods.
mod tobit {
    use di::prelude::*;

    #[differentiable]
    mod tobit {
        /// One observation: regressors and response, censored at zero.
        pub struct Obs {
            pub x: Vec<f64>,
            pub y: f64,
        }

        fn erf(x: f64) -> f64 {
            let s = x.signum();
            let x = x.abs();
            let t = 1.0 / (1.0 + 0.3275911 * x);
            let coef = [
                0.254829592,
                -0.284496736,
                1.421413741,
                -1.453152027,
                1.061405429,
            ];
            let mut poly = 0.0;
            for c in coef.iter().rev() {
                poly = (poly + c) * t;
            }
            s * (1.0 - poly * (-x * x).exp())
        }

        fn log_cdf(z: f64) -> f64 {
            (0.5 * (1.0 + erf(z / std::f64::consts::SQRT_2)))
                .max(1e-300)
                .ln()
        }

        fn log_pdf(z: f64) -> f64 {
            -0.5 * z * z - 0.5 * (2.0 * std::f64::consts::PI).ln()
        }

        fn dot(a: &[f64], b: &[f64]) -> f64 {
            a.iter().zip(b.iter()).map(|(x, y)| x * y).sum()
        }

        pub fn loglik(theta: &[f64], #[constant] obs: &[Obs]) -> f64 {
            let k = theta.len() - 1;
            let beta = &theta[..k];
            let log_sigma = theta[k];
            let sigma = log_sigma.exp();
            obs.iter()
                .map(|o| {
                    let mu = dot(&o.x, beta);
                    if o.y > 0.0 {
                        log_pdf((o.y - mu) / sigma) - log_sigma
                    } else {
                        log_cdf(-mu / sigma)
                    }
                })
                .sum()
        }
    }

    #[test]
    fn tobit() {
        let o = |x: [f64; 2], y| tobit::Obs { x: x.to_vec(), y };
        let obs = vec![o([1.0, 0.3], 0.8), o([1.0, -1.2], 0.0), o([1.0, 0.9], 1.9)];
        crate::check::scalar!(tobit::loglik, (&obs), &vec![0.4, 0.9, -0.2]);
    }
}

/// Mixture of Gaussians with diagonal covariances.
mod mixture_of_structs {
    use di::prelude::*;

    #[differentiable]
    mod gmm {
        use std::f64::consts::PI;

        #[derive(Clone, Debug)]
        pub struct Component {
            pub weight: f64,
            pub mean: Vec<f64>,
            pub log_sd: Vec<f64>,
        }

        fn unpack(theta: &[f64], k: usize, d: usize) -> Vec<Component> {
            let stride = 1 + 2 * d;
            (0..k)
                .map(|c| {
                    let part = &theta[c * stride..(c + 1) * stride];
                    Component {
                        weight: part[0],
                        mean: part[1..1 + d].to_vec(),
                        log_sd: part[1 + d..].to_vec(),
                    }
                })
                .collect()
        }

        fn log_density(c: &Component, x: &[f64]) -> f64 {
            let mut q = 0.0;
            for ((xi, m), ls) in x.iter().zip(&c.mean).zip(&c.log_sd) {
                let z = (xi - m) * (-ls).exp();
                q += -0.5 * z * z - ls;
            }
            q - 0.5 * x.len() as f64 * (2.0 * PI).ln()
        }

        fn lse(v: &[f64]) -> f64 {
            let max = v.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
            max + v.iter().map(|a| f64::exp(a - max)).sum::<f64>().ln()
        }

        pub fn nll(theta: &[f64], #[constant] k: usize, #[constant] data: &[Vec<f64>]) -> f64 {
            let d = data[0].len();
            let comps = unpack(theta, k, d);
            let logits: Vec<f64> = comps.iter().map(|c| c.weight).collect();
            let norm = lse(&logits);
            let mut total = 0.0;
            for x in data {
                let terms: Vec<f64> = comps
                    .iter()
                    .map(|c| c.weight - norm + log_density(c, x))
                    .collect();
                total -= lse(&terms);
            }
            total
        }
    }

    #[test]
    fn mixture_of_structs() {
        let data = vec![vec![0.1, 0.3], vec![1.2, 0.9], vec![-0.2, 0.4]];
        let theta = vec![0.2, 0.0, 0.2, -0.3, 0.1, -0.4, 1.0, 1.1, 0.2, -0.1];
        crate::check::scalar!(gmm::nll, (2, &data), &theta);
    }
}
