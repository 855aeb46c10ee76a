//! Whole arrays, slices and vectors: copies, fills, exchanges, halves, rows.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 2.0], &[-1.2, 0.4, 0.9, -0.3]];

#[differentiable]
fn copies(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    a[0] *= a[1];
    let mut b = a.clone();
    b[1] = a[0] * b[2];
    b[2] += 1.0;
    a[3] *= b[1];
    let mut s = 0.0;
    for i in 0..x.len() {
        s += a[i] * b[i];
    }
    s
}

#[test]
fn copies_go_their_own_way() {
    scalar!(copies).row(35).check(&POINTS);
}

#[differentiable]
fn copied_arrays(x: &[f64]) -> f64 {
    let mut a = [x[0], x[1]];
    let b = a;
    a[0] = a[1] * b[0];
    let mut c = a;
    c[1] *= x[2];
    a = c;
    a[0] * a[1] + b[0] * c[0]
}

#[test]
fn arrays_are_copied_by_assignment() {
    scalar!(copied_arrays).row(18).check(&POINTS);
}

#[differentiable]
fn copied_over(x: &[f64], y: &mut [f64]) {
    y.copy_from_slice(&x[..3]);
    y[0] *= x[3];
    let mut work = vec![0.0; 4];
    work[1..].copy_from_slice(y);
    work[2] *= work[1];
    y[1..].copy_from_slice(&work[2..]);
}

#[test]
fn slices_copied_over_others() {
    inplace!(copied_over, 3).row(42).check(&POINTS);
}

#[differentiable]
fn filled(x: &[f64], y: &mut [f64]) {
    y[0] = x[0] * x[1];
    y[1] = y[0].sin();
    y.fill(x[2]);
    y[1] *= x[3];
    let mut work = [x[0]; 3];
    work[..2].fill(y[1]);
    y[2] += work[0] * work[2];
}

#[test]
fn slices_filled_with_one_value() {
    inplace!(filled, 3).row(43).check(&POINTS);
}

#[differentiable]
fn exchanged(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    let n = a.len();
    for i in 0..n {
        for j in 1..n - i {
            if a[j - 1] > a[j] {
                a.swap(j - 1, j);
            }
        }
    }
    a.swap(1, 1);
    let mut s = 0.0;
    for i in 0..n {
        s += a[i] * a[i] * (i + 1) as f64;
    }
    s
}

#[test]
fn elements_sorted_by_exchange() {
    scalar!(exchanged).row(40).step(0.05).check(&POINTS);
}

#[differentiable]
fn halves(x: &[f64]) -> f64 {
    let (left, right) = x.split_at(1);
    let (middle, last) = right.split_at(right.len() - 1);
    let mut s = left[0] * last[0];
    for v in middle {
        s += v * v * left[0];
    }
    s
}

#[test]
fn slices_split_in_two() {
    scalar!(halves).row(31).check(&POINTS);
}

#[differentiable]
fn lengths(x: &[f64]) -> f64 {
    let empty = &x[1..1];
    let n = if empty.is_empty() { x.len() } else { 0 };
    x[0] * n as f64 + x[n - 1]
}

#[test]
fn lengths_are_passive() {
    scalar!(lengths).check(&POINTS);
}

#[differentiable]
fn rows(points: &[[f64; 2]], center: &[f64; 2], out: &mut [[f64; 2]]) {
    for i in 0..points.len() {
        for k in 0..2 {
            out[i][k] = points[i][k] - center[k];
        }
        out[i][0] *= out[i][1];
    }
}

#[differentiable]
fn of_rows(x: &[f64]) -> f64 {
    let points = [[x[0], x[1]], [x[2], x[3]]];
    let mut out = [[0.0; 2]; 2];
    rows(&points, &[x[1], x[1] * x[2]], &mut out);
    let mut s = 0.0;
    for row in &out {
        s += row[0] * row[1];
    }
    s
}

#[test]
fn slices_of_arrays() {
    scalar!(of_rows).row(163).check(&POINTS);
}

#[differentiable]
fn aliases(x: &[f64]) -> f64 {
    let a = x;
    let b = &a[1..];
    let c = &b[1..];
    a[0] * b[0] * c[0] + c[0] * a[2]
}

#[test]
fn slices_of_slices() {
    scalar!(aliases).row(30).check(&POINTS);
}

#[differentiable]
fn parts_of_locals(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    for k in 0..2 {
        let part = &mut a[k..k + 2];
        part[0] += part[1] * part[1];
        part[1] *= x[k];
    }
    a[0] * a[1] * a[2]
}

#[test]
fn overlapping_parts_written_in_turn() {
    scalar!(parts_of_locals).rows(&[29, 30]).check(&POINTS);
}

#[differentiable]
fn area(p: &[f64; 2], q: &[f64; 2]) -> f64 {
    p[0] * q[1] - p[1] * q[0]
}

#[differentiable]
fn arrays_of_a_slice(x: &[f64]) -> f64 {
    let mut s = 0.5;
    for [a, b] in x.as_chunks::<2>().0 {
        s = (s * a + b).sin();
    }
    for (i, c) in x.as_chunks::<2>().0.iter().enumerate().rev() {
        s = s * c[1] + c[0] * (i + 1) as f64 + area(c, &[s, x[0]]);
    }
    let products: f64 = x.as_chunks::<3>().0.iter().map(|[a, b, c]| a * b + c).sum();
    let mut y = x.to_vec();
    for c in y.as_chunks_mut::<2>().0 {
        c[0] *= c[1];
        c[1] += c[0].sin();
    }
    s + products + y.iter().product::<f64>()
}

#[test]
fn stretches_of_known_length() {
    scalar!(arrays_of_a_slice).rows(&[31, 32]).check(&[
        &[0.71, 1.13, -0.43],
        &[-1.21, 0.44, 0.93, 1.33, 0.24],
        &[0.83],
    ]);
}
