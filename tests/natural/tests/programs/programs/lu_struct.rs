//! Engineer: LU decomposition struct with pivots, flat row-major storage, chained solves; bridge influence lines.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod lin {
    pub struct Lu {
        n: usize,
        lu: Vec<f64>,
        piv: Vec<usize>,
    }

    #[derive(Debug)]
    pub struct Singular(pub usize);

    impl Lu {
        pub fn new(a: &[f64], n: usize) -> Result<Lu, Singular> {
            let mut lu = a.to_vec();
            let mut piv: Vec<usize> = (0..n).collect();
            for k in 0..n {
                let p = (k..n).max_by(|&i, &j| lu[i * n + k].abs().total_cmp(&lu[j * n + k].abs())).unwrap();
                if lu[p * n + k] == 0.0 {
                    return Err(Singular(k));
                }
                if p != k {
                    for j in 0..n {
                        lu.swap(p * n + j, k * n + j);
                    }
                    piv.swap(p, k);
                }
                let (upper, lower) = lu.split_at_mut((k + 1) * n);
                let pivot_row = &upper[k * n..];
                for row in lower.chunks_exact_mut(n) {
                    row[k] /= pivot_row[k];
                    for j in k + 1..n {
                        row[j] -= row[k] * pivot_row[j];
                    }
                }
            }
            Ok(Lu { n, lu, piv })
        }

        pub fn solve(&self, b: &[f64]) -> Vec<f64> {
            let n = self.n;
            let mut x: Vec<f64> = self.piv.iter().map(|&p| b[p]).collect();
            for i in 0..n {
                let s: f64 = self.lu[i * n..i * n + i].iter().zip(&x[..i]).map(|(l, x)| l * x).sum();
                x[i] -= s;
            }
            for i in (0..n).rev() {
                let s: f64 = self.lu[i * n + i + 1..(i + 1) * n].iter().zip(&x[i + 1..]).map(|(u, x)| u * x).sum();
                x[i] = (x[i] - s) / self.lu[i * n + i];
            }
            x
        }
    }

    pub fn compliance(k: &[f64], #[constant] load: &[f64]) -> f64 {
        let n = load.len();
        let mut a = vec![0.0; n * n];
        for (e, &ke) in k.iter().enumerate() {
            if e < n {
                a[e * n + e] += ke;
            }
            if e > 0 {
                a[(e - 1) * n + e - 1] += ke;
            }
            if e > 0 && e < n {
                a[e * n + e - 1] -= ke;
                a[(e - 1) * n + e] -= ke;
            }
        }
        match Lu::new(&a, n) {
            Ok(lu) => {
                let x = lu.solve(load);
                let y = lu.solve(&x);
                x.iter().zip(load).map(|(x, f)| x * f).sum::<f64>() + y[0]
            }
            Err(Singular(k)) => panic!("singular at {k}"),
        }
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let (k, f) = ([3.0, 1.0, 2.5, 0.7, 4.0], [1.0, -0.5, 2.0, 0.3]);
    let g = gradient(lin::compliance::AD.with(&f), NoPrep, &AutoSource::new(), &k)?;
    check("75", &g, &fd(|k| lin::compliance(k, &f), &k));
    Ok(())
}
