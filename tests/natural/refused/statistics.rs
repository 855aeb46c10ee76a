//! Statistics. Refused: each with what the compiler says.

// 65 E0080 [DI0329] a derivative would be lost: passive code reads `beta`, which depends on the inputs
/// Poisson regression with offsets and ridge penalty.
mod poisson_glm {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    struct Row {
        features: Vec<f64>,
        count: u32,
        exposure: f64,
    }

    #[differentiable]
    fn linear_predictor(beta: &[f64], #[constant] row: &Row) -> f64 {
        beta[0] + row.exposure.ln() + row.features.iter().zip(&beta[1..]).map(|(f, b)| f * b).sum::<f64>()
    }

    #[differentiable]
    pub fn neg_log_lik(beta: &[f64], #[constant] rows: &[Row], #[constant] ridge: f64) -> f64 {
        let mut nll = 0.0;
        for row in rows {
            let eta = linear_predictor(beta, row);
            nll += eta.exp() - row.count as f64 * eta;
        }
        nll + 0.5 * ridge * beta.iter().skip(1).map(|b| b * b).sum::<f64>()
    }

    #[test]
    fn poisson_glm() {
        let rows = vec![
            Row { features: vec![0.2, 1.0], count: 1, exposure: 1.0 },
            Row { features: vec![-0.5, 0.3], count: 0, exposure: 0.5 },
            Row { features: vec![1.1, -0.7], count: 3, exposure: 1.5 },
        ];
        scalar!(neg_log_lik, (&rows, 0.1), &[0.1, 0.4, -0.3]);
    }
}

// 94 E0716 temporary value dropped while borrowed
// 94 E0716 temporary value dropped while borrowed
// 94 E0716 temporary value dropped while borrowed
/// GLM family by enum with link functions, inline module.
mod glm_family {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod glm {
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Family {
            Gaussian,
            Bernoulli,
            Gamma,
        }

        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Link {
            Identity,
            Logit,
            Log,
        }

        impl Link {
            fn inverse(&self, eta: f64) -> f64 {
                match self {
                    Self::Identity => eta,
                    Self::Logit => 1.0 / (1.0 + (-eta).exp()),
                    Self::Log => eta.exp(),
                }
            }
        }

        fn deviance(family: Family, #[constant] y: f64, mu: f64) -> f64 {
            match family {
                Family::Gaussian => (y - mu).powi(2),
                Family::Bernoulli => -2.0 * (y * mu.ln() + (1.0 - y) * (1.0 - mu).ln()),
                Family::Gamma => 2.0 * ((y - mu) / mu - (y / mu).ln()),
            }
        }

        pub fn total(beta: &[f64], #[constant] x: &[[f64; 2]], #[constant] y: &[f64], family: Family, link: Link) -> f64 {
            x.iter()
                .zip(y)
                .map(|(xi, &yi)| {
                    let eta = beta[0] + beta[1] * xi[0] + beta[2] * xi[1];
                    deviance(family, yi, link.inverse(eta))
                })
                .sum()
        }
    }

    #[test]
    fn glm_family() {
        use glm::{Family, Link};
        let x = [[0.1, 0.9], [0.7, -0.4], [-0.6, 0.5], [1.2, 0.2]];
        let b = [0.3, 0.5, -0.4];
        scalar!(glm::total, (&x, &[0.2, 0.9, -0.1, 1.1], Family::Gaussian, Link::Identity), &b);
        scalar!(glm::total, (&x, &[0.0, 1.0, 0.0, 1.0], Family::Bernoulli, Link::Logit), &b);
        scalar!(glm::total, (&x, &[0.5, 1.4, 0.8, 2.0], Family::Gamma, Link::Log), &b);
    }
}

// E0446 private type `Patient` in public interface
/// Survival: Weibull hazard with censoring flags and an accelerated failure time.
mod weibull_censored {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug)]
    struct Patient {
        time: f64,
        event: bool,
        age: f64,
        group: Option<usize>,
    }

    #[differentiable]
    pub fn log_lik(x: &[f64], #[constant] patients: &[Patient]) -> f64 {
        let shape = x[0].exp();
        let effects = [x[3], x[4]];
        let mut ll = 0.0;
        for p in patients {
            let mut log_scale = x[1] + x[2] * p.age;
            if let Some(g) = p.group {
                log_scale += effects[g];
            }
            let u = p.time.ln() - log_scale;
            if p.event {
                ll += shape.ln() + (shape - 1.0) * u - log_scale;
            }
            ll -= (shape * u).exp();
        }
        ll
    }

    #[test]
    fn weibull_censored() {
        let patients = vec![
            Patient {
                time: 0.8,
                event: true,
                age: 0.5,
                group: Some(0),
            },
            Patient {
                time: 1.5,
                event: false,
                age: -0.2,
                group: None,
            },
            Patient {
                time: 2.1,
                event: true,
                age: 0.1,
                group: Some(1),
            },
            Patient {
                time: 0.4,
                event: true,
                age: 0.9,
                group: Some(1),
            },
        ];
        scalar!(log_lik, (&patients), &[0.3, 0.4, -0.2, 0.1, -0.3]);
    }
}

// E0446 private type `matrix_factorisation::Shape` in public interface
/// Matrix factorisation of ratings with biases, sparse triples.
mod matrix_factorisation {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const RANK: usize = 2;

    struct Shape {
        users: usize,
        items: usize,
    }

    fn user_offset(u: usize) -> usize {
        u * RANK
    }

    fn item_offset(s: &Shape, i: usize) -> usize {
        (s.users + i) * RANK
    }

    #[differentiable]
    fn dot(a: &[f64], b: &[f64]) -> f64 {
        let mut s = 0.0;
        for k in 0..a.len() {
            s += a[k] * b[k];
        }
        s
    }

    #[differentiable]
    pub fn loss(x: &[f64], shape: &Shape, #[constant] ratings: &[(usize, usize, f64)]) -> f64 {
        let bias = x[x.len() - 1];
        let mut total = 0.0;
        for &(u, i, r) in ratings {
            let (a, b) = (user_offset(u), item_offset(shape, i));
            let e = r - bias - dot(&x[a..a + RANK], &x[b..b + RANK]);
            total += e.powi(2);
        }
        total + 0.05 * x.iter().map(|v| v * v).sum::<f64>()
    }

    #[test]
    fn matrix_factorisation() {
        let shape = Shape { users: 2, items: 2 };
        let ratings = [(0, 0, 1.2), (0, 1, 0.4), (1, 1, 0.9)];
        scalar!(
            loss,
            (&shape, &ratings),
            &[0.5, 0.2, 0.8, -0.3, 0.6, 0.7, -0.1, 0.4, 0.3]
        );
    }
}
