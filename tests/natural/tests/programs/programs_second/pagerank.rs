//! First year: largest eigenvalue of a matrix by the power method.

use di::prelude::*;

const N: usize = 4;

#[differentiable]
fn mat_vec(a: &[[f64; N]; N], v: &[f64; N]) -> [f64; N] {
    let mut r = [0.0; N];
    for i in 0..N {
        for j in 0..N {
            r[i] += a[i][j] * v[j];
        }
    }
    r
}

#[differentiable]
fn norm(v: &[f64; N]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[differentiable]
fn largest_eigenvalue(a: &[[f64; N]; N]) -> f64 {
    let mut v = [1.0; N];
    let mut lambda = 0.0;
    for iter in 0..200 {
        let mut w = mat_vec(a, &v);
        let len = norm(&w);
        for x in w.iter_mut() {
            *x /= len;
        }
        let change = (len - lambda).abs();
        lambda = len;
        v = w;
        if iter > 100 && change < 1e-14 {
            break;
        }
    }
    lambda
}

fn make(x: &[f64]) -> [[f64; N]; N] {
    let mut a = [[0.0; N]; N];
    for i in 0..N {
        for j in 0..N {
            a[i][j] = x[N * i + j];
        }
    }
    a
}

pub(super) fn main() -> Result<(), di::Error> {
    let x: Vec<f64> = (0..16).map(|i| 1.0 + ((i * 7) % 5) as f64 * 0.3).collect();
    let g = gradient(largest_eigenvalue::AD, NoPrep, &AutoSource::new(), &make(&x))?;
    super::check_of("power", &g.concat(), &x, |x| largest_eigenvalue(&make(x)));
    Ok(())
}
