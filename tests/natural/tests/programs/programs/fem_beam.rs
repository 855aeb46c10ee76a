//! Engineer: Euler beam FEM, element matrices const generic, banded Cholesky, struct Beam with methods chained.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod beam {
    pub type K4 = [[f64; 4]; 4];

    pub struct Element {
        ei: f64,
        len: f64,
    }

    impl Element {
        pub fn stiffness(&self) -> K4 {
            let Element { ei, len: l } = *self;
            let c = ei / l.powi(3);
            [
                [12.0 * c, 6.0 * c * l, -12.0 * c, 6.0 * c * l],
                [6.0 * c * l, 4.0 * c * l * l, -6.0 * c * l, 2.0 * c * l * l],
                [-12.0 * c, -6.0 * c * l, 12.0 * c, -6.0 * c * l],
                [6.0 * c * l, 2.0 * c * l * l, -6.0 * c * l, 4.0 * c * l * l],
            ]
        }
    }

    pub struct Banded<const BW: usize> {
        rows: Vec<[f64; BW]>,
    }

    impl<const BW: usize> Banded<BW> {
        pub fn zeros(n: usize) -> Self {
            Self { rows: vec![[0.0; BW]; n] }
        }
        /// Upper part: `a[i][j]` with `j >= i` is at `rows[i][j - i]`.
        pub fn add(&mut self, i: usize, j: usize, v: f64) {
            if j >= i && j - i < BW {
                self.rows[i][j - i] += v;
            }
        }
        pub fn solve(mut self, mut b: Vec<f64>) -> Vec<f64> {
            let n = self.rows.len();
            for k in 0..n {
                for i in k + 1..n.min(k + BW) {
                    let f = self.rows[k][i - k] / self.rows[k][0];
                    for j in i..n.min(k + BW) {
                        let v = self.rows[k][j - k];
                        self.rows[i][j - i] -= f * v;
                    }
                    b[i] -= f * b[k];
                }
            }
            for i in (0..n).rev() {
                let mut s = b[i];
                for j in i + 1..n.min(i + BW) {
                    s -= self.rows[i][j - i] * b[j];
                }
                b[i] = s / self.rows[i][0];
            }
            b
        }
    }

    pub fn tip_deflection(h: &[f64], load: f64) -> f64 {
        let elements: Vec<Element> = h.iter().map(|&h| Element { ei: 1e3 * h.powi(3) / 12.0, len: 0.5 }).collect();
        let n = 2 * elements.len();
        let mut k = Banded::<4>::zeros(n);
        for (e, el) in elements.iter().enumerate() {
            for (a, row) in el.stiffness().iter().enumerate() {
                for (b, v) in row.iter().enumerate() {
                    let (i, j) = (2 * e + a, 2 * e + b);
                    if i >= 2 && j >= 2 {
                        k.add(i - 2, j - 2, *v);
                    }
                }
            }
        }
        let mut f = vec![0.0; n];
        f[n - 2] = load;
        let u = k.solve(f);
        u[n - 2] + 0.1 * h.iter().sum::<f64>()
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let h = vec![1.0, 0.9, 0.7, 0.6];
    let (g, gl) = gradient(beam::tip_deflection::AD, NoPrep, &AutoSource::new(), &(h.clone(), 3.0))?;
    let mut got = g;
    got.push(gl);
    check("85", &got, &fd(|x| beam::tip_deflection(&x[..4], x[4]), &[1.0, 0.9, 0.7, 0.6, 3.0]));
    Ok(())
}
