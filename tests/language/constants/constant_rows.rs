//! Constant vectors of vectors that become part of what is differentiated, and other constants whose types are known by
//! the file.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];

type Matrix = Vec<Vec<f64>>;

fn filled(n: usize) -> Matrix {
    vec![vec![0.5; n]; n]
}

fn turns() -> Matrix {
    vec![vec![0.8, -0.6], vec![0.6, 0.8]]
}

fn turned(a: &Matrix) -> Matrix {
    (0..a.len())
        .map(|j| a.iter().map(|row| row[j]).collect())
        .collect()
}

#[differentiable]
fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let n = a.len();
    let mut c = filled(n);
    for i in 0..n {
        for j in 0..n {
            c[i][j] += (0..n).map(|k| a[i][k] * b[k][j]).sum::<f64>();
        }
    }
    c
}

#[differentiable]
fn quadratic(a: &[Vec<f64>], w: &[f64]) -> f64 {
    let rows = a.iter().zip(w);
    rows.map(|(row, v)| v * row.iter().zip(w).map(|(r, v)| r * v).sum::<f64>())
        .sum()
}

struct Market<'a> {
    covariance: &'a [Vec<f64>],
    spread: Matrix,
}

#[differentiable]
fn filtered(x: &[f64]) -> f64 {
    let t = turns();
    let back = turned(&t);
    let mut p = filled(2);
    p[0][1] = x[0] * x[1];
    p[1] = vec![x[2], x[0]];
    p = product(&product(&t, &p), &back);
    p[0][0] * p[1][1] + t[0][1] * p[0][1]
}

#[differentiable]
fn risk(x: &[f64], market: &Market<'_>) -> f64 {
    quadratic(market.covariance, x) * x[0] + quadratic(&market.spread, x)
}

struct Truss {
    points: Vec<[f64; 2]>,
    bars: Vec<(usize, usize)>,
}

impl Truss {
    fn row(&self, i: usize) -> Option<usize> {
        (i > 0).then(|| i - 1)
    }
}

/// `constant` is no mark here.
#[differentiable]
fn stiffness(x: &[f64], truss: &Truss) -> f64 {
    let constant = x[0] * x[2];
    let mut load = vec![0.0; 2];
    for b in 0..truss.bars.len() {
        let (i, j) = truss.bars[b];
        let d = truss.points[j][0] - truss.points[i][0];
        for (p, sign) in [(i, -1.0), (j, 1.0)] {
            if let Some(row) = truss.row(p) {
                load[row] += sign * d * x[b] * x[b] + constant;
            }
        }
    }
    load[0] * load[1]
}

#[test]
fn constant_vectors_of_vectors() {
    scalar!(filtered).row(314).takes_memory().check(&POINTS);
    let covariance = vec![
        vec![1.0, 0.2, 0.0],
        vec![0.2, 2.0, -0.1],
        vec![0.0, -0.1, 0.5],
    ];
    let market = Market {
        covariance: &covariance,
        spread: covariance.clone(),
    };
    scalar!(risk::AD.with(&market), |x: &[f64]| risk(x, &market))
        .row(314)
        .takes_memory()
        .check(&POINTS);
    let truss = Truss {
        points: vec![[0.0, 0.0], [1.0, 0.3], [2.5, 0.1]],
        bars: vec![(0, 1), (1, 2), (0, 2)],
    };
    scalar!(stiffness::AD.with(&truss), |x: &[f64]| stiffness(x, &truss))
        .row(315)
        .check(&POINTS);
}
