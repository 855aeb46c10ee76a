//! Statistics.

/// Gaussian mixture in one dimension, log-likelihood by logsumexp.
mod gaussian_mixture {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod model {
        #[derive(Clone, Debug)]
        struct Component {
            log_weight: f64,
            mean: f64,
            log_sd: f64,
        }

        fn log_sum_exp(v: &[f64]) -> f64 {
            let m = v.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            m + v.iter().map(|x| (x - m).exp()).sum::<f64>().ln()
        }

        fn components(x: &[f64]) -> Vec<Component> {
            let k = x.len() / 3;
            let norm = log_sum_exp(&x[..k]);
            (0..k)
                .map(|i| Component {
                    log_weight: x[i] - norm,
                    mean: x[k + i],
                    log_sd: x[2 * k + i],
                })
                .collect()
        }

        pub fn log_likelihood(x: &[f64], #[constant] data: &[f64]) -> f64 {
            let comps = components(x);
            let mut ll = 0.0;
            for y in data {
                let terms: Vec<f64> = comps
                    .iter()
                    .map(|c| {
                        let z = (y - c.mean) * (-c.log_sd).exp();
                        c.log_weight - c.log_sd - 0.5 * z * z
                    })
                    .collect();
                ll += log_sum_exp(&terms);
            }
            ll
        }
    }

    #[test]
    fn gaussian_mixture() {
        let x = [0.2, -0.1, 0.4, -0.8, 0.5, 1.7, -0.3, 0.1, -0.5];
        scalar!(model::log_likelihood, (&[-1.1, 0.3, 0.8, 1.9, 0.1]), &x);
    }
}

/// Multivariate normal with a parametrised Cholesky factor.
mod mvn_cholesky {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const D: usize = 3;

    #[differentiable]
    fn unpack_lower(p: &[f64]) -> [[f64; D]; D] {
        let mut l = [[0.0; D]; D];
        let mut k = 0;
        for i in 0..D {
            for j in 0..=i {
                l[i][j] = if i == j { p[k].exp() } else { p[k] };
                k += 1;
            }
        }
        l
    }

    #[differentiable]
    fn solve_lower(l: &[[f64; D]; D], b: [f64; D]) -> [f64; D] {
        let mut z = b;
        for i in 0..D {
            for j in 0..i {
                z[i] -= l[i][j] * z[j];
            }
            z[i] /= l[i][i];
        }
        z
    }

    #[differentiable]
    pub fn log_density(x: &[f64], #[constant] data: &[[f64; D]]) -> f64 {
        let l = unpack_lower(&x[D..]);
        let log_det: f64 = (0..D).map(|i| l[i][i].ln()).sum();
        let mut total = 0.0;
        for row in data {
            let mut diff = [0.0; D];
            for i in 0..D {
                diff[i] = row[i] - x[i];
            }
            let z = solve_lower(&l, diff);
            total -= 0.5 * z.iter().map(|v| v * v).sum::<f64>() + log_det;
        }
        total
    }

    #[test]
    fn mvn_cholesky() {
        let data = [[0.3, -0.1, 0.9], [1.0, 0.5, 0.2], [-0.4, 0.7, 0.6]];
        scalar!(
            log_density,
            (&data),
            &[0.2, 0.3, 0.5, -0.1, 0.4, 0.2, -0.3, 0.1, -0.2]
        );
    }
}

/// Moments, skewness and kurtosis as a tuple and a struct of summary statistics.
mod moments_summary {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug, Default, Differentiable)]
    struct Summary {
        mean: f64,
        variance: f64,
        skewness: f64,
        kurtosis: f64,
    }

    #[differentiable]
    fn moments(xs: &[f64]) -> (f64, f64) {
        let n = xs.len() as f64;
        let mean = xs.iter().sum::<f64>() / n;
        let var = xs.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
        (mean, var)
    }

    #[differentiable]
    fn summarise(xs: &[f64]) -> Summary {
        let (mean, variance) = moments(xs);
        let mut s = Summary {
            mean,
            variance,
            ..Summary::default()
        };
        let sd = variance.sqrt();
        for x in xs {
            let z = (x - mean) / sd;
            s.skewness += z.powi(3);
            s.kurtosis += z.powi(4);
        }
        let n = xs.len() as f64;
        s.skewness /= n;
        s.kurtosis = s.kurtosis / n - 3.0;
        s
    }

    #[differentiable]
    pub fn statistics(xs: &[f64]) -> [f64; 4] {
        let Summary {
            mean,
            variance,
            skewness,
            kurtosis,
        } = summarise(xs);
        [mean, variance, skewness, kurtosis]
    }

    #[differentiable]
    pub fn jarque_bera(xs: &[f64]) -> f64 {
        let s = summarise(xs);
        xs.len() as f64 / 6.0 * (s.skewness * s.skewness + 0.25 * s.kurtosis * s.kurtosis)
    }

    #[test]
    fn moments_summary() {
        let xs = [0.3, 1.2, 0.8, 2.5, 1.7, 0.4];
        vector!(statistics, (), &xs);
        scalar!(jarque_bera, (), &xs);
    }
}

/// Hierarchical model: schools with partial pooling, log posterior.
mod eight_schools {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod problem {
        const EFFECTS: [(f64, f64); 4] = [(2.8, 1.5), (0.8, 1.0), (-0.3, 1.6), (0.7, 1.1)];

        fn normal_lpdf(x: f64, mu: f64, sigma: f64) -> f64 {
            let z = (x - mu) / sigma;
            -0.5 * z * z - sigma.ln()
        }

        fn half_cauchy_lpdf(x: f64, #[constant] scale: f64) -> f64 {
            -(1.0 + (x / scale) * (x / scale)).ln()
        }

        pub fn log_posterior(x: &[f64]) -> f64 {
            let mu = x[0];
            let log_tau = x[1];
            let tau = log_tau.exp();
            let mut lp = normal_lpdf(mu, 0.0, 2.0) + half_cauchy_lpdf(tau, 1.5) + log_tau;
            for (eta, &(y, sigma)) in x[2..].iter().zip(EFFECTS.iter()) {
                lp += normal_lpdf(*eta, 0.0, 1.0);
                lp += normal_lpdf(y, mu + tau * eta, sigma);
            }
            lp
        }
    }

    #[test]
    fn eight_schools() {
        scalar!(
            problem::log_posterior,
            (),
            &[0.8, -0.2, 0.5, -0.3, 0.2, 0.9]
        );
    }
}

/// Student t regression with gamma function by Lanczos.
mod student_t {
    use crate::check::{scalar, vector};
    use di::prelude::*;
    use std::f64::consts::PI;

    static LANCZOS: [f64; 6] = [
        76.18009172947146,
        -86.50532032941677,
        24.01409824083091,
        -1.231739572450155,
        0.1208650973866179e-2,
        -0.5395239384953e-5,
    ];

    #[differentiable]
    fn ln_gamma(x: f64) -> f64 {
        let tmp = x + 5.5;
        let tmp = tmp - (x + 0.5) * tmp.ln();
        let mut y = x;
        let mut ser = 1.000000000190015;
        for c in LANCZOS {
            y += 1.0;
            ser += c / y;
        }
        -tmp + (2.5066282746310005 * ser / x).ln()
    }

    #[differentiable]
    fn t_lpdf(r: f64, nu: f64, s: f64) -> f64 {
        ln_gamma(0.5 * (nu + 1.0))
            - ln_gamma(0.5 * nu)
            - 0.5 * (nu * PI).ln()
            - s.ln()
            - 0.5 * (nu + 1.0) * (1.0 + (r / s).powi(2) / nu).ln()
    }

    #[differentiable]
    pub fn loglik(x: &[f64], #[constant] data: &[(f64, f64)]) -> f64 {
        let (a, b, nu, s) = (x[0], x[1], 1.0 + x[2].exp(), x[3].exp());
        data.iter().map(|(t, y)| t_lpdf(y - a - b * t, nu, s)).sum()
    }

    #[test]
    fn student_t() {
        scalar!(
            loglik,
            (&[(0.0, 0.2), (0.5, 0.6), (1.0, 1.9), (1.5, 1.2)]),
            &[0.1, 0.8, 0.9, -0.5]
        );
    }
}
