//! First year: determinant by expansion along the first row.

use di::prelude::*;

type Matrix = Vec<Vec<f64>>;

#[differentiable]
fn minor(a: &Matrix, col: usize) -> Matrix {
    let mut m = Vec::new();
    for i in 1..a.len() {
        let mut row = Vec::new();
        for j in 0..a.len() {
            if j != col {
                row.push(a[i][j]);
            }
        }
        m.push(row);
    }
    m
}

#[differentiable]
fn det(a: &Matrix) -> f64 {
    if a.len() == 1 {
        return a[0][0];
    }
    let mut sum = 0.0;
    let mut sign = 1.0;
    for j in 0..a.len() {
        sum += sign * a[0][j] * det(&minor(a, j));
        sign = -sign;
    }
    sum
}

#[differentiable]
fn cramer(x: &[f64]) -> f64 {
    let n = 3;
    let mut a: Matrix = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..n {
            a[i][j] = x[i * n + j];
        }
    }
    let d = det(&a);
    for i in 0..n {
        a[i][1] = x[9 + i];
    }
    det(&a) / d
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [2.0, 1.0, 0.5, -1.0, 3.0, 0.7, 0.2, 0.4, 1.9, 1.0, 2.0, 3.0];
    let g = gradient(cramer::AD, NoPrep, &AutoSource::new(), &x)?;
    super::check_of("cramer", &g, &x, |x| cramer(x));
    Ok(())
}
