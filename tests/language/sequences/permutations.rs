//! Elements that change their places: reversed, rotated, sorted.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 2.0, 0.2], &[-1.2, 0.4, 0.9, -0.3, -2.0]];

/// Tells the places of the elements apart.
#[differentiable]
fn weighted(v: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..v.len() {
        s += v[i] * v[i] * (i + 1) as f64;
    }
    s
}

#[differentiable]
fn turned(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    a[1] *= a[0];
    a.reverse();
    a[1] *= a[0];
    a[1..4].reverse();
    a[..0].reverse();
    let mut rows = [[a[0], a[1]], [a[2], a[3]], [x[0], a[4]]];
    rows.reverse();
    weighted(&a) * rows[0][1] + rows[2][0]
}

#[test]
fn sequences_reversed() {
    scalar!(turned).row(40).check(&POINTS);
}

#[differentiable]
fn rotated(x: &[f64], y: &mut [f64]) {
    y.copy_from_slice(x);
    y.rotate_left(2);
    y[0] *= y[1];
    y[1..].rotate_right(1);
    y.rotate_left(0);
    y.rotate_right(5);
    y[3] *= y[2];
    for k in 0..3 {
        y[k..].rotate_left(k);
    }
}

#[test]
fn sequences_rotated() {
    inplace!(rotated, 5).row(40).check(&POINTS);
}

#[differentiable]
fn shifted(x: &[f64], y: &mut [f64]) {
    y.copy_from_slice(x);
    y.copy_within(1..4, 0);
    y[0] *= y[4];
    y.copy_within(..3, 2);
    y[2..].copy_within(1..=2, 0);
}

#[test]
fn copies_within_a_slice() {
    inplace!(shifted, 5).row(44).check(&POINTS);
}

#[differentiable]
fn sorted_up(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    a.sort_by(|a, b| a.total_cmp(b));
    a[0] *= a[1];
    let mut b = [a[2] * x[0], a[0], a[4]];
    b.sort_unstable_by(f64::total_cmp);
    weighted(&a) + weighted(&b)
}

#[test]
fn sorted_by_total_order() {
    scalar!(sorted_up).row(40).step(0.02).check(&POINTS);
}

#[differentiable]
fn sorted_down(x: &[f64], y: &mut [f64]) {
    y.copy_from_slice(x);
    y[1..].sort_by(|p, q| q.partial_cmp(p).unwrap());
    y[0] *= y[2];
    y[..3].sort_by(|p, q| p.total_cmp(q).reverse());
}

#[test]
fn sorted_downwards() {
    inplace!(sorted_down, 5).row(40).step(0.02).check(&POINTS);
}

#[differentiable]
fn sorted_rows(x: &[f64]) -> f64 {
    let mut rows = [[x[0], x[1]], [x[2], x[3]], [x[4], x[0]]];
    rows.sort_by(|a, b| a[1].partial_cmp(&b[1]).expect("numbers"));
    rows[0][0] *= rows[1][1];
    let mut order = vec![0, 1, 2, 3, 4];
    order.sort_by(|&i, &j| x[i].total_cmp(&x[j]));
    let mut s = rows[0][0] * rows[2][0] + rows[1][0];
    for (k, i) in order.iter().enumerate() {
        s += x[*i] * x[*i] * k as f64;
    }
    s
}

#[test]
fn rows_and_indices_sorted_by_a_key() {
    scalar!(sorted_rows).row(40).step(0.02).check(&POINTS);
}

#[differentiable]
fn median(x: &[f64], k: usize) -> f64 {
    let mut a = x[k..].to_vec();
    a.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let n = a.len();
    if n % 2 == 1 {
        a[n / 2]
    } else {
        0.5 * (a[n / 2 - 1] + a[n / 2])
    }
}

#[differentiable]
fn medians(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for k in 0..x.len() {
        s *= 2.0 + median(x, k);
    }
    s
}

#[test]
fn sorts_in_helpers_in_loops() {
    scalar!(medians).row(40).step(0.02).check(&POINTS);
}

#[differentiable]
fn traded(x: &[f64], y: &mut [f64]) {
    let mut a = x.to_vec();
    y[2] = x[0] * x[1];
    a[..2].swap_with_slice(&mut y[2..4]);
    a[1] += a[0] * a[2];
    y[0] = a[1] * y[3];
    y[1] = a[0];
}

#[test]
fn slices_exchanged() {
    inplace!(traded, 4).check(&POINTS);
}
