//! Polynomial regression by normal equations with partial pivoting; AIC as a function of the data.
use di::prelude::*;

#[derive(Debug, Clone, PartialEq)]
pub enum FitError {
    Singular { column: usize },
    TooFewPoints(usize),
}

#[differentiable]
pub fn gauss(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Result<Vec<f64>, FitError> {
    let n = b.len();
    for col in 0..n {
        let pivot = (col..n).max_by(|&i, &j| a[i][col].abs().total_cmp(&a[j][col].abs())).unwrap();
        if a[pivot][col].abs() < 1e-12 {
            return Err(FitError::Singular { column: col });
        }
        a.swap(col, pivot);
        b.swap(col, pivot);
        for row in col + 1..n {
            let f = a[row][col] / a[col][col];
            for k in col..n {
                let v = a[col][k];
                a[row][k] -= f * v;
            }
            b[row] -= f * b[col];
        }
    }
    for i in (0..n).rev() {
        let s: f64 = (i + 1..n).map(|k| a[i][k] * b[k]).sum();
        b[i] = (b[i] - s) / a[i][i];
    }
    Ok(b)
}

#[differentiable]
pub fn polyfit(x: &[f64], y: &[f64], degree: usize) -> Result<Vec<f64>, FitError> {
    if x.len() <= degree {
        return Err(FitError::TooFewPoints(x.len()));
    }
    let m = degree + 1;
    let power = |p: usize| x.iter().map(|v| v.powi(p as i32)).sum::<f64>();
    let a: Vec<Vec<f64>> = (0..m).map(|i| (0..m).map(|j| power(i + j)).collect()).collect();
    let b = (0..m).map(|i| x.iter().zip(y).map(|(x, y)| x.powi(i as i32) * y).sum()).collect();
    gauss(a, b)
}

#[differentiable]
pub fn aic(x: &[f64], y: &[f64], degree: usize) -> f64 {
    let Ok(c) = polyfit(x, y, degree) else { return f64::INFINITY };
    let rss: f64 = x
        .iter()
        .zip(y)
        .map(|(x, y)| {
            let fit = c.iter().rev().fold(0.0, |acc, c| acc * x + c);
            (y - fit) * (y - fit)
        })
        .sum();
    let n = x.len() as f64;
    n * (rss / n).ln() + 2.0 * (degree + 1) as f64
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [0.1, 0.5, 1.0, 1.4, 2.1, 2.6];
    let y = [1.0, 0.7, 1.2, 1.9, 3.7, 6.0];
    let (gx, gy) = gradient(aic::AD.with(2), NoPrep, &AutoSource::new(), &(x, y))?;
    let all: Vec<f64> = gx.iter().chain(&gy).copied().collect();
    let at: Vec<f64> = x.iter().chain(&y).copied().collect();
    super::check_of("polyfit", &all, &at, |v| aic(&v[..6], &v[6..], 2));
    Ok(())
}
