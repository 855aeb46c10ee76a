//! Econometrics, filters and inference: models as structs. Refused: each with what the compiler says.

// E0106 missing lifetime specifier
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
            Group { x: vec![0.1, 0.9], y: vec![0.5, 1.2] },
            Group { x: vec![-0.4, 0.6], y: vec![0.2, 0.9] },
        ];
        scalar!(log_posterior, (&groups), &[0.4, 0.7, -0.5, -0.3, -0.2, 0.3, -0.4, 0.5, 0.1]);
    }
}

// E0080 [DI0304] this is indexed or iterated, but its type cannot be inferred
/// Quantal responses in a game of two, by a fixed point.
mod game {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    pub mod game {
        pub struct Bimatrix<const M: usize, const N: usize> {
            pub row: [[f64; N]; M],
            pub col: [[f64; N]; M],
        }

        fn softmax<const K: usize>(payoff: &[f64; K], precision: f64) -> [f64; K] {
            let top = payoff.iter().fold(f64::NEG_INFINITY, |m, &p| if p > m { p } else { m });
            let weights = payoff.map(|p| (precision * (p - top)).exp());
            let total: f64 = weights.iter().sum();
            weights.map(|w| w / total)
        }

        fn blend<const K: usize>(old: &[f64; K], new: &[f64; K], step: f64) -> [f64; K] {
            let mut out = [0.0; K];
            for ((o, a), b) in out.iter_mut().zip(old).zip(new) {
                *o = (1.0 - step) * a + step * b;
            }
            out
        }

        impl<const M: usize, const N: usize> Bimatrix<M, N> {
            fn row_payoffs(&self, q: &[f64; N]) -> [f64; M] {
                std::array::from_fn(|i| (0..N).map(|j| self.row[i][j] * q[j]).sum())
            }

            fn col_payoffs(&self, p: &[f64; M]) -> [f64; N] {
                std::array::from_fn(|j| (0..M).map(|i| self.col[i][j] * p[i]).sum())
            }

            fn equilibrium(&self, precision: f64) -> ([f64; M], [f64; N]) {
                let mut p = [1.0 / M as f64; M];
                let mut q = [1.0 / N as f64; N];
                for _ in 0..50 {
                    let p_new = softmax(&self.row_payoffs(&q), precision);
                    let q_new = softmax(&self.col_payoffs(&p), precision);
                    p = blend(&p, &p_new, 0.5);
                    q = blend(&q, &q_new, 0.5);
                }
                (p, q)
            }
        }

        pub fn log_likelihood(
            game: &Bimatrix<2, 3>,
            precision: f64,
            #[constant] row_counts: &[u32; 2],
            #[constant] col_counts: &[u32; 3],
        ) -> f64 {
            let (p, q) = game.equilibrium(precision);
            let rows: f64 = p.iter().zip(row_counts).map(|(p, &c)| f64::from(c) * p.ln()).sum();
            let cols: f64 = q.iter().zip(col_counts).map(|(q, &c)| f64::from(c) * q.ln()).sum();
            rows + cols
        }
    }

    #[test]
    fn game() {
        use game::{Bimatrix, log_likelihood};
        let make = |q: &[f64; 13]| {
            let rows = |q: &[f64]| [[q[0], q[1], q[2]], [q[3], q[4], q[5]]];
            (Bimatrix { row: rows(&q[..6]), col: rows(&q[6..12]) }, q[12])
        };
        let list = |(g, p): &(Bimatrix<2, 3>, f64)| g.row.iter().chain(&g.col).flatten().copied().chain([*p]).collect::<Vec<f64>>();
        let call = |(g, p): &(Bimatrix<2, 3>, f64)| log_likelihood(g, *p, &[3, 5], &[2, 4, 2]);
        let q = [1.0, 0.2, 0.5, 0.3, 0.9, 0.1, 0.4, 0.8, 0.2, 0.7, 0.1, 0.6, 1.3];
        made!(log_likelihood::AD.with(&[3, 5], &[2, 4, 2]), call, make, list, &q);
    }
}
