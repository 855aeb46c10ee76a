//! Statistics.

/// Ordered logistic with cut points from increments; categories as usize.
mod ordered_logit {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn logistic(z: f64) -> f64 {
        1.0 / (1.0 + (-z).exp())
    }

    #[differentiable]
    fn cutpoints(x: &[f64]) -> Vec<f64> {
        let mut c = vec![x[0]];
        for d in &x[1..] {
            let last = *c.last().unwrap();
            c.push(last + d.exp());
        }
        c
    }

    #[differentiable]
    fn prob(cuts: &[f64], eta: f64, category: usize) -> f64 {
        let upper = if category == cuts.len() {
            1.0
        } else {
            logistic(cuts[category] - eta)
        };
        let lower = if category == 0 {
            0.0
        } else {
            logistic(cuts[category - 1] - eta)
        };
        upper - lower
    }

    #[differentiable]
    pub fn log_lik(x: &[f64], #[constant] data: &[(f64, usize)]) -> f64 {
        let beta = x[0];
        let cuts = cutpoints(&x[1..]);
        data.iter()
            .map(|&(feature, k)| prob(&cuts, beta * feature, k).ln())
            .sum()
    }

    #[test]
    fn ordered_logit() {
        let data = [(0.2, 0), (0.9, 1), (1.4, 3), (-0.3, 0), (0.6, 2)];
        scalar!(log_lik, (&data), &[0.9, -0.4, 0.1, -0.2]);
    }
}

/// Kernel density estimate with leave-one-out cross validation over bandwidth and shifts.
mod kde_loo {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn kernel(u: f64) -> f64 {
        (-0.5 * u * u).exp() / (2.0 * std::f64::consts::PI).sqrt()
    }

    #[differentiable]
    pub fn cv_score(x: &[f64], #[constant] sample: &[f64]) -> f64 {
        let h = x[0].exp();
        let warp = x[1];
        let t: Vec<f64> = sample.iter().map(|s| s + warp * s * s).collect();
        let n = t.len();
        let mut score = 0.0;
        for i in 0..n {
            let density: f64 = t
                .iter()
                .enumerate()
                .filter(|(j, _)| *j != i)
                .map(|(_, tj)| kernel((t[i] - tj) / h) / h)
                .sum::<f64>()
                / (n - 1) as f64;
            score += (density * (1.0 + 2.0 * warp * sample[i])).ln();
        }
        score / n as f64
    }

    #[test]
    fn kde_loo() {
        scalar!(cv_score, (&[0.2, 0.5, 0.9, 1.0, 1.6]), &[-0.7, 0.2]);
    }
}

/// Instrumental-variable style GMM objective with a weighting matrix; inline module.
mod gmm_objective {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod gmm {
        pub const MOMENTS: usize = 3;

        #[derive(Clone, Copy, Debug)]
        pub struct Sample {
            pub y: f64,
            pub x: f64,
            pub z: [f64; 2],
        }

        fn moment(theta: &[f64], #[constant] s: &Sample) -> [f64; MOMENTS] {
            let e = s.y - theta[0] - theta[1] * s.x - theta[2] * s.x.powi(2);
            [e, e * s.z[0], e * s.z[1]]
        }

        fn average(theta: &[f64], #[constant] data: &[Sample]) -> [f64; MOMENTS] {
            let mut m = [0.0; MOMENTS];
            for s in data {
                let g = moment(theta, s);
                m.iter_mut()
                    .zip(g.iter())
                    .for_each(|(a, b)| *a += b / data.len() as f64);
            }
            m
        }

        fn quadratic(m: &[f64; MOMENTS], #[constant] w: &[[f64; MOMENTS]; MOMENTS]) -> f64 {
            let mut q = 0.0;
            for (i, row) in w.iter().enumerate() {
                for (j, wij) in row.iter().enumerate() {
                    q += m[i] * wij * m[j];
                }
            }
            q
        }

        pub fn objective(theta: &[f64], #[constant] data: &[Sample]) -> f64 {
            let w = [[2.0, 0.3, 0.0], [0.3, 1.0, 0.1], [0.0, 0.1, 1.5]];
            quadratic(&average(theta, data), &w)
        }
    }

    #[test]
    fn gmm_objective() {
        use gmm::Sample;
        let data = vec![
            Sample {
                y: 0.5,
                x: 0.2,
                z: [0.1, 0.9],
            },
            Sample {
                y: 1.1,
                x: 0.9,
                z: [0.7, 0.3],
            },
            Sample {
                y: 1.9,
                x: 1.3,
                z: [1.2, -0.4],
            },
        ];
        scalar!(gmm::objective, (&data), &[0.2, 0.6, 0.1]);
    }
}

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
        beta[0]
            + row.exposure.ln()
            + row
                .features
                .iter()
                .zip(&beta[1..])
                .map(|(f, b)| f * b)
                .sum::<f64>()
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
            Row {
                features: vec![0.2, 1.0],
                count: 1,
                exposure: 1.0,
            },
            Row {
                features: vec![-0.5, 0.3],
                count: 0,
                exposure: 0.5,
            },
            Row {
                features: vec![1.1, -0.7],
                count: 3,
                exposure: 1.5,
            },
        ];
        scalar!(neg_log_lik, (&rows, 0.1), &[0.1, 0.4, -0.3]);
    }
}

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

        pub fn total(
            beta: &[f64],
            #[constant] x: &[[f64; 2]],
            #[constant] y: &[f64],
            family: Family,
            link: Link,
        ) -> f64 {
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
        scalar!(
            glm::total,
            (&x, &[0.2, 0.9, -0.1, 1.1], Family::Gaussian, Link::Identity),
            &b
        );
        scalar!(
            glm::total,
            (&x, &[0.0, 1.0, 0.0, 1.0], Family::Bernoulli, Link::Logit),
            &b
        );
        scalar!(
            glm::total,
            (&x, &[0.5, 1.4, 0.8, 2.0], Family::Gamma, Link::Log),
            &b
        );
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
