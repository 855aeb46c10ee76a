//! Functions that change the length of a vector that they borrow, and closures that are called in macros: bodies in the
//! place of calls.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.3, -0.4, 0.2], &[1.2, 0.4, 0.9, -1.1]];

/// Elimination with a pivot in each column: rows change places.
#[differentiable]
fn solve(a: &mut Vec<Vec<f64>>, b: &mut Vec<f64>) {
    let n = b.len();
    for k in 0..n {
        let mut pivot = k;
        for r in k + 1..n {
            if a[r][k].abs() > a[pivot][k].abs() {
                pivot = r;
            }
        }
        if pivot != k {
            a.swap(pivot, k);
            b.swap(pivot, k);
        }
        for r in k + 1..n {
            let m = a[r][k] / a[k][k];
            for c in k..n {
                a[r][c] -= m * a[k][c];
            }
            b[r] -= m * b[k];
        }
    }
    for k in (0..n).rev() {
        for c in k + 1..n {
            b[k] -= a[k][c] * b[c];
        }
        b[k] /= a[k][k];
    }
}

#[differentiable]
fn remember(recent: &mut Vec<f64>, x: f64) {
    recent.push(x * x);
    if recent.len() > 3 {
        recent.remove(0);
    }
}

#[differentiable]
fn doubled(v: &mut Vec<f64>) {
    *v = v.iter().chain(v.iter()).map(|x| 2.0 * x).collect();
}

#[differentiable]
fn eliminated(x: &[f64]) -> f64 {
    let mut a = vec![
        vec![0.1 * x[0], 3.0 + x[1], 0.2],
        vec![4.0, 0.2 * x[1], x[2]],
        vec![0.1 * x[0] * x[1], 0.3 * x[2], 3.0],
    ];
    let mut b = vec![x[0], x[1], x[2]];
    solve(&mut a, &mut b);
    let mut recent = Vec::new();
    for k in 0..5 {
        remember(&mut recent, b[k % 3] + x[3]);
    }
    doubled(&mut recent);
    b[0] * b[1] + b[2] + recent.iter().sum::<f64>() * recent[4]
}

#[test]
fn functions_that_change_lengths_and_the_order_of_rows() {
    scalar!(eliminated).row(355).check(&POINTS);
}

#[differentiable]
fn trapezoid(f: impl Fn(f64) -> f64, lo: f64, hi: f64) -> f64 {
    let h = hi - lo;
    let mut row = vec![h * (0.5 * (f(lo) + f(hi)))];
    row.extend(vec![f(lo + 0.5 * h); 2]);
    assert!(f(lo).is_finite());
    row.iter().sum()
}

#[differentiable]
fn elliptic(x: &[f64]) -> f64 {
    trapezoid(|t| (4.0 - x[0] * t.sin().powi(2)).sqrt(), 0.0, x[1])
}

#[test]
fn functions_that_are_given_in_macros() {
    scalar!(elliptic).row(356).check(&POINTS);
}

#[differentiable]
mod passed_on {
    fn add(v: &mut Vec<f64>, x: f64) {
        v.push(x * x);
    }

    fn add_all(v: &mut Vec<f64>, x: &[f64]) {
        for t in x {
            add(v, *t);
        }
    }

    fn started(v: &mut Vec<f64>, x: &[f64]) {
        add_all(v, x);
        add(&mut *v, x[0]);
        v[0] *= 2.0;
    }

    fn swap_rows(a: &mut Vec<Vec<f64>>, b: &mut Vec<f64>, i: usize, j: usize) {
        a.swap(i, j);
        b.swap(i, j);
    }

    fn eliminate(a: &mut Vec<Vec<f64>>, b: &mut Vec<f64>) {
        let n = b.len();
        for k in 0..n {
            let mut pivot = k;
            for i in k + 1..n {
                if a[i][k].abs() > a[pivot][k].abs() {
                    pivot = i;
                }
            }
            swap_rows(a, b, k, pivot);
            for i in k + 1..n {
                let factor = a[i][k] / a[k][k];
                for j in k..n {
                    let above = a[k][j];
                    a[i][j] -= factor * above;
                }
                b[i] -= factor * b[k];
            }
        }
    }

    fn solve(a: &mut Vec<Vec<f64>>, b: &mut Vec<f64>) -> Vec<f64> {
        eliminate(a, b);
        let n = b.len();
        let mut x = vec![0.0; n];
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|j| a[i][j] * x[j]).sum();
            x[i] = (b[i] - known) / a[i][i];
        }
        x
    }

    pub(super) fn solved(x: &[f64]) -> f64 {
        let mut v = Vec::new();
        started(&mut v, x);
        let mut a = vec![vec![0.1 * x[0], 2.0], vec![1.0 + x[1], 1.0 + x[0]]];
        let y = solve(&mut a, &mut v[..2].to_vec());
        y[0] * y[1] + v[2] * v.len() as f64
    }
}

#[test]
fn functions_that_pass_on_what_changes_its_length() {
    scalar!(passed_on::solved::AD, |x: &[f64]| passed_on::solved(x))
        .row(366)
        .check(&POINTS);
}
