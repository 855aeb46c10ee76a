//! Econometrics, filters and inference: models as structs. Refused: each with what the compiler says.

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
