//! Dense symmetric systems.

use di::prelude::*;

#[derive(Clone, Debug, Differentiable)]
pub struct Mat {
    pub rows: usize,
    pub data: Vec<f64>,
}

#[differentiable]
impl Mat {
    pub fn zeros(rows: usize) -> Mat {
        Mat {
            rows,
            data: vec![0.0; rows * rows],
        }
    }
    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.data[i * self.rows + j]
    }
    pub fn set(&mut self, i: usize, j: usize, value: f64) {
        self.data[i * self.rows + j] = value;
    }
    /// Lower factor, or the index of the pivot that fails.
    pub fn cholesky(&self) -> Result<Mat, usize> {
        let mut l = Mat::zeros(self.rows);
        for j in 0..self.rows {
            let mut d = self.get(j, j);
            for k in 0..j {
                d -= l.get(j, k) * l.get(j, k);
            }
            if d <= 0.0 {
                return Err(j);
            }
            let d = d.sqrt();
            l.set(j, j, d);
            for i in j + 1..self.rows {
                let mut s = self.get(i, j);
                for k in 0..j {
                    s -= l.get(i, k) * l.get(j, k);
                }
                l.set(i, j, s / d);
            }
        }
        Ok(l)
    }
    pub fn forward_solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x: Vec<f64> = Vec::with_capacity(b.len());
        for i in 0..b.len() {
            let s: f64 = x.iter().enumerate().map(|(k, v)| self.get(i, k) * v).sum();
            x.push((b[i] - s) / self.get(i, i));
        }
        x
    }
}
