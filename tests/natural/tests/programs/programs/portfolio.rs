//! Experienced: risk parity objective with a small matrix type.

use di::prelude::*;
use super::{check, fd};
use std::ops::{Index, IndexMut, Mul};

#[derive(Clone, Debug, PartialEq)]
struct Mat<const R: usize, const C: usize>([[f64; C]; R]);

impl<const R: usize, const C: usize> Index<(usize, usize)> for Mat<R, C> {
    type Output = f64;
    fn index(&self, (r, c): (usize, usize)) -> &f64 {
        &self.0[r][c]
    }
}
impl<const R: usize, const C: usize> IndexMut<(usize, usize)> for Mat<R, C> {
    fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut f64 {
        &mut self.0[r][c]
    }
}

#[differentiable]
fn mul_vec<const R: usize, const C: usize>(#[constant] m: &Mat<R, C>, v: &[f64; C]) -> [f64; R] {
    std::array::from_fn(|r| (0..C).map(|c| m[(r, c)] * v[c]).sum())
}

#[differentiable]
fn softmax<const N: usize>(z: &[f64; N]) -> [f64; N] {
    let top = z.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let e = z.map(|z| (z - top).exp());
    let total: f64 = e.iter().sum();
    e.map(|e| e / total)
}

/// Sum of squared differences of the risk contributions.
#[differentiable]
fn risk_parity(z: &[f64; 4], #[constant] cov: &Mat<4, 4>) -> f64 {
    let w = softmax(z);
    let m = mul_vec(cov, &w);
    let var: f64 = w.iter().zip(&m).map(|(w, m)| w * m).sum();
    let contributions: Vec<f64> = w.iter().zip(m.iter()).map(|(w, m)| w * m / var).collect();
    let target = 1.0 / contributions.len() as f64;
    contributions.iter().map(|c| (c - target).powi(2)).sum()
}

pub(super) fn main() -> Result<(), di::Error> {
    let mut cov = Mat([[0.0; 4]; 4]);
    for i in 0..4 {
        for j in 0..4 {
            cov[(i, j)] = 0.01 * (1.0 + i as f64).mul(1.0 + j as f64) * if i == j { 1.0 } else { 0.3 };
        }
    }
    let z = [0.1, -0.2, 0.3, 0.0];
    let g = gradient(risk_parity::AD.with(&cov), NoPrep, &AutoSource::new(), &z)?;
    check("06", &g, &fd(|x| risk_parity(&[x[0], x[1], x[2], x[3]], &cov), &z));
    Ok(())
}
