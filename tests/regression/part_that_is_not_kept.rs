//! A part of a vector that goes to a callee whose adjoint does not read it: nothing of it was kept, and the
//! adjoint sweep took a part of nothing.

#![allow(clippy::needless_range_loop, reason = "indices are what is looked at")]

use di::prelude::*;
use di_test::scalar;

#[differentiable]
fn total(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += v;
    }
    s
}

#[allow(clippy::useless_vec, reason = "a vector is what is looked at")]
#[differentiable]
fn parts(x: &[f64]) -> f64 {
    let mut v = vec![0.0; 4];
    for i in 0..4 {
        v[i] = x[i].tanh();
    }
    let mut s = 0.0;
    for k in 0..2 {
        s += total(&v[2 * k..2 * k + 2]) * v[k];
    }
    s
}

#[test]
fn parts_are_only_read_where_they_were_kept() {
    scalar!(parts).check(&[&[0.3, -0.7, 1.1, 0.2]]);
}

#[differentiable]
fn sum_of_two(x: &[f64; 2]) -> f64 {
    x[0] + x[1]
}

#[differentiable]
fn sum_of_rows(x: &[[f64; 2]]) -> f64 {
    let mut s = 0.0;
    for row in x {
        s += row[0] + 2.0 * row[1];
    }
    s
}

/// Rows of arrays, whose vectors are kept call by call.
#[differentiable]
fn rows(x: &[f64]) -> f64 {
    let mut rows: Vec<[f64; 2]> = vec![[0.0; 2]; 2];
    for i in 0..4 {
        rows[i / 2][i % 2] = x[i].tanh();
    }
    let mut s = 0.0;
    for k in 0..2 {
        s += sum_of_two(&rows[k]) * rows[k][0] * total(&rows[k]) * total(&rows[k][..1]);
    }
    s + sum_of_rows(&rows) * sum_of_rows(&rows[1..])
}

#[test]
fn rows_of_a_vector_go_to_callees() {
    scalar!(rows).check(&[&[0.3, -0.7, 1.1, 0.2]]);
}
