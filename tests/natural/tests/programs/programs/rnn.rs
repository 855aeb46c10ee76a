//! Experienced: Elman RNN over token sequences, a cell struct holding parameter matrices.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod rnn {
    pub const H: usize = 3;
    pub const V: usize = 4;
    pub type Hidden = [f64; H];

    #[derive(Clone, Debug)]
    pub struct Cell {
        pub embed: [[f64; H]; V],
        pub recur: [[f64; H]; H],
        pub out: [[f64; H]; V],
    }

    impl Cell {
        fn step(&self, h: &Hidden, token: usize) -> Hidden {
            let mut next = self.embed[token];
            for (n, row) in next.iter_mut().zip(&self.recur) {
                *n += row.iter().zip(h).map(|(w, h)| w * h).sum::<f64>();
                *n = n.tanh();
            }
            next
        }

        fn log_probs(&self, h: &Hidden) -> [f64; V] {
            let mut z = [0.0; V];
            for v in 0..V {
                z[v] = self.out[v].iter().zip(h.iter()).fold(0.0, |s, (w, h)| s + w * h);
            }
            let lse = z.iter().map(|z| z.exp()).sum::<f64>().ln();
            z.map(|z| z - lse)
        }

        pub fn loss(&self, tokens: &[usize]) -> f64 {
            tokens
                .windows(2)
                .fold((0.0, [0.0; H]), |(loss, h), pair| {
                    let h = self.step(&h, pair[0]);
                    (loss - self.log_probs(&h)[pair[1]], h)
                })
                .0
        }
    }
}
use rnn::*;

fn build(x: &[f64]) -> Cell {
    let row = |k: usize| [x[3 * k], x[3 * k + 1], x[3 * k + 2]];
    Cell {
        embed: std::array::from_fn(|i| row(i)),
        recur: std::array::from_fn(|i| row(4 + i)),
        out: std::array::from_fn(|i| row(7 + i)),
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let x: Vec<f64> = (0..33).map(|i| ((i * 29 % 17) as f64 - 8.0) / 9.0).collect();
    let tokens = [0, 2, 1, 3, 3, 0, 1];
    let g = gradient(Cell::loss_ad.with(&tokens), NoPrep, &AutoSource::new(), &build(&x))?;
    let got: Vec<f64> = g.embed.iter().chain(&g.recur).chain(&g.out).flatten().copied().collect();
    check("19", &got, &fd(|x| build(x).loss(&tokens), &x));
    Ok(())
}
