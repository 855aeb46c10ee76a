//! The Thomas algorithm: loops in both directions, buffers read and written in place, calls with outputs.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use di_test::{inplace, scalar};

/// Solves `-y[i-1] + (2 + c[i]) y[i] - y[i+1] = d[i]`, with `c` in the first half of `x` and `d` in the second.
#[differentiable]
fn solve(x: &[f64], y: &mut [f64]) {
    let n = y.len();
    let (c, d) = (&x[..n], &x[n..]);
    let mut upper = vec![0.0; n];
    let mut diagonal = 2.0 + c[0];
    y[0] = d[0] / diagonal;
    for i in 1..n {
        upper[i] = -1.0 / diagonal;
        diagonal = 2.0 + c[i] + upper[i];
        y[i] = (d[i] + y[i - 1]) / diagonal;
    }
    for i in (0..n - 1).rev() {
        y[i] -= upper[i + 1] * y[i + 1];
    }
}

/// Energy of the solution.
#[differentiable]
fn energy(x: &[f64], n: usize) -> f64 {
    let mut y = vec![0.0; n];
    solve(x, &mut y);
    let mut s = 0.0;
    for v in &y {
        s += v * v;
    }
    0.5 * s
}

const X: [f64; 8] = [0.5, 1.0, 0.25, 2.0, 1.0, -1.0, 3.0, 0.5];

#[test]
fn solution_is_differentiated_by_coefficients_and_right_side() {
    inplace!(solve, 4).step(0.05).check(&[&X]);
    scalar!(energy::AD.with(4), |x| energy(x, 4))
        .step(0.05)
        .check(&[&X]);
}

#[test]
fn jacobian_is_the_inverse_times_minus_solution() {
    // A(c) y = d gives dy/dd = A^-1 and dy/dc_j = -A^-1 e_j y_j.
    let mut y = [0.0; 4];
    let f = solve::AD.output(&mut y);
    let (solution, j) = value_and_jacobian(f, NoPrep, &AutoSource::new(), &X[..]).unwrap();
    for i in 0..4 {
        for k in 0..4 {
            let expected = -j[[i, 4 + k]] * solution[k];
            assert_close("dy/dc", &[j[[i, k]]], &[expected], ROUNDING);
        }
    }
    let times_matrix = |i: usize, k: usize| {
        let row = |i: usize| j[[i, 4 + k]];
        let left = if i > 0 { row(i - 1) } else { 0.0 };
        let right = if i < 3 { row(i + 1) } else { 0.0 };
        (2.0 + X[i]) * row(i) - left - right
    };
    for i in 0..4 {
        for k in 0..4 {
            let unit = f64::from(u8::from(i == k));
            assert_close("A dy/dd", &[times_matrix(i, k)], &[unit], ROUNDING);
        }
    }
}
