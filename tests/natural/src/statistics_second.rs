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
