//! Student: Matrix struct with operators on references, 3x3 inverse, strain energy.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod matrix {
    use std::ops::{Add, Mul, Sub};

    #[derive(Clone, Debug, PartialEq)]
    pub struct Matrix {
        pub rows: usize,
        pub cols: usize,
        pub data: Vec<Vec<f64>>,
    }

    impl Matrix {
        pub fn zeros(rows: usize, cols: usize) -> Matrix {
            Matrix { rows, cols, data: vec![vec![0.0; cols]; rows] }
        }
        pub fn identity(n: usize) -> Matrix {
            let mut m = Matrix::zeros(n, n);
            for i in 0..n {
                m.data[i][i] = 1.0;
            }
            m
        }
        pub fn transpose(&self) -> Matrix {
            let mut t = Matrix::zeros(self.cols, self.rows);
            for i in 0..self.rows {
                for j in 0..self.cols {
                    t.data[j][i] = self.data[i][j];
                }
            }
            t
        }
        pub fn trace(&self) -> f64 {
            (0..self.rows).map(|i| self.data[i][i]).sum()
        }
        pub fn det(&self) -> f64 {
            if self.rows == 1 {
                return self.data[0][0];
            }
            let mut d = 0.0;
            for c in 0..self.cols {
                let sign = if c % 2 == 0 { 1.0 } else { -1.0 };
                d += sign * self.data[0][c] * self.minor(0, c).det();
            }
            d
        }
        fn minor(&self, r: usize, c: usize) -> Matrix {
            let mut m = Matrix::zeros(self.rows - 1, self.cols - 1);
            for i in 0..self.rows {
                for j in 0..self.cols {
                    if i == r || j == c {
                        continue;
                    }
                    let ii = if i > r { i - 1 } else { i };
                    let jj = if j > c { j - 1 } else { j };
                    m.data[ii][jj] = self.data[i][j];
                }
            }
            m
        }
    }

    impl<'a> Mul<&'a Matrix> for &'a Matrix {
        type Output = Matrix;
        fn mul(self, o: &Matrix) -> Matrix {
            assert_eq!(self.cols, o.rows);
            let mut m = Matrix::zeros(self.rows, o.cols);
            for i in 0..self.rows {
                for j in 0..o.cols {
                    for k in 0..self.cols {
                        m.data[i][j] += self.data[i][k] * o.data[k][j];
                    }
                }
            }
            m
        }
    }
    impl Sub for Matrix {
        type Output = Matrix;
        fn sub(mut self, o: Matrix) -> Matrix {
            for (a, b) in self.data.iter_mut().flatten().zip(o.data.iter().flatten()) {
                *a -= b;
            }
            self
        }
    }
    impl Mul<f64> for Matrix {
        type Output = Matrix;
        fn mul(self, k: f64) -> Matrix {
            let data = self.data.iter().map(|r| r.iter().map(|v| v * k).collect()).collect();
            Matrix { data, ..self }
        }
    }
    impl Add for &Matrix {
        type Output = Matrix;
        fn add(self, o: &Matrix) -> Matrix {
            let mut m = self.clone();
            m.data.iter_mut().zip(&o.data).for_each(|(r, s)| r.iter_mut().zip(s).for_each(|(a, b)| *a += b));
            m
        }
    }

    /// Neo-Hookean energy of a deformation gradient.
    pub fn energy(f: &[f64]) -> f64 {
        let mut m = Matrix::zeros(3, 3);
        for (i, v) in f.iter().enumerate() {
            m.data[i / 3][i % 3] = *v;
        }
        let c = &m.transpose() * &m;
        let e = (c.clone() - Matrix::identity(3)) * 0.5;
        let s = &c + &e;
        let j = m.det();
        0.5 * (c.trace() - 3.0 - 2.0 * j.ln()) + 0.7 * (j - 1.0).powi(2) + 0.1 * (&e * &s).trace()
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let f = [1.1, 0.2, 0.0, -0.1, 0.9, 0.3, 0.05, 0.0, 1.2];
    let g = gradient(matrix::energy::AD, NoPrep, &AutoSource::new(), &f)?;
    check("55", &g, &fd(matrix::energy, &f));
    Ok(())
}
