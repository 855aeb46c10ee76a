//! Engineer: Gaussian elimination with pivoting, for a resistor ladder (nodal analysis of heat bridges).

use di::prelude::*;
use super::{check, fd};

#[differentiable]
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Result<Vec<f64>, String> {
    let n = b.len();
    for k in 0..n {
        // pivot
        let mut best = k;
        for i in k + 1..n {
            if a[i][k].abs() > a[best][k].abs() {
                best = i;
            }
        }
        if a[best][k].abs() < 1e-12 {
            return Err(format!("singular at {}", k));
        }
        a.swap(k, best);
        b.swap(k, best);
        for i in k + 1..n {
            let f = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= f * a[k][j];
            }
            b[i] -= f * b[k];
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let mut s = b[i];
        for j in i + 1..n {
            s -= a[i][j] * x[j];
        }
        x[i] = s / a[i][i];
    }
    Ok(x)
}

#[differentiable]
fn heat_loss(u: &[f64]) -> f64 {
    let n = u.len() - 1;
    let mut a = vec![vec![0.0; n]; n];
    let mut b = vec![0.0; n];
    for i in 0..n {
        a[i][i] = u[i] + u[i + 1];
        if i > 0 {
            a[i][i - 1] = -u[i];
        }
        if i + 1 < n {
            a[i][i + 1] = -u[i + 1];
        }
    }
    b[0] = 20.0 * u[0];
    b[n - 1] += -5.0 * u[n];
    match solve(a, b) {
        Ok(t) => u[0] * (20.0 - t[0]),
        Err(msg) => panic!("{}", msg),
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let u = [8.0, 0.5, 2.0, 1.1, 25.0];
    let g = gradient(heat_loss::AD, NoPrep, &AutoSource::new(), &u)?;
    check("10", &g, &fd(heat_loss, &u));
    Ok(())
}
