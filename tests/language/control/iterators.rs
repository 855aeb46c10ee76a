//! Iterators behind `in`, and chains that end in a number.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, -0.4], &[-1.2, 0.4, 0.9, 1.3, 0.2], &[0.8]];

#[differentiable]
fn zipped(x: &[f64]) -> f64 {
    let n = x.len();
    let mut s = 0.0;
    for (a, b) in x.iter().zip(&x[n / 2..]) {
        s += a * b * a;
    }
    for ((a, b), c) in x.iter().zip(x.iter().rev()).zip(x) {
        s = s * 0.5 + a * b + c;
    }
    s
}

#[test]
fn slices_side_by_side() {
    scalar!(zipped).rows(&[47, 69]).check(&POINTS);
}

#[differentiable]
fn enumerated(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, v) in x.iter().enumerate() {
        s += v.powi(i as i32 + 1);
    }
    for (i, v) in x.iter().enumerate().rev() {
        s = s * 0.5 + *v * i as f64;
    }
    s
}

#[test]
fn slices_with_their_indices() {
    scalar!(enumerated).row(47).check(&POINTS);
}

#[differentiable]
fn parts(x: &[f64]) -> f64 {
    let n = x.len();
    let mut s = 0.0;
    for v in x.iter().skip(1).take(2) {
        s += v * v;
    }
    for i in (0..n).step_by(2) {
        s = s * x[i] + 1.0;
    }
    for i in (0..n).rev().step_by(3) {
        s += x[i].sin() * s;
    }
    for v in x.iter().step_by(2) {
        s *= *v;
    }
    s
}

#[test]
fn every_other_element() {
    scalar!(parts).rows(&[47, 66]).check(&POINTS);
}

#[differentiable]
fn copied(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x.iter().copied() {
        s += v * v;
    }
    for v in x.iter().cloned().map(|v| v * x[0]) {
        s = s * v + 1.0;
    }
    s
}

#[test]
fn elements_by_value() {
    scalar!(copied).row(47).check(&POINTS);
}

#[differentiable]
fn mutable(x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = x * x;
    }
    for v in y.iter_mut() {
        *v *= x[0];
    }
    for (i, v) in y.iter_mut().enumerate() {
        *v += x[0] * i as f64;
    }
}

#[test]
fn elements_to_write_to() {
    inplace!(mutable, 3)
        .rows(&[33, 68])
        .check(&[&[0.7, 1.1, -0.4], &[-1.2, 0.4]]);
}

#[differentiable]
fn sums(x: &[f64]) -> f64 {
    let n = x.len();
    let squares: f64 = x.iter().map(|v| v * v).sum();
    let products = x.iter().zip(&x[n / 2..]).map(|(a, b)| a * b).sum::<f64>();
    let range: f64 = (1..n).map(|i| x[i] * x[i - 1]).sum();
    let plain: f64 = x.iter().sum();
    squares * products + range * plain
}

#[test]
fn sums_of_chains() {
    scalar!(sums).rows(&[45, 46]).check(&POINTS);
}

#[differentiable]
fn product(x: &[f64]) -> f64 {
    let all: f64 = x.iter().product();
    all * x.iter().map(|v| v + 2.0).product::<f64>()
}

#[test]
fn products_of_chains() {
    // A zero among the factors, and two of them: no derivative may come from a division.
    let points: [&[f64]; 4] = [
        &[0.7, 1.1, -0.4],
        &[0.7, 0.0, 2.0],
        &[0.0, 0.0, 1.5],
        &[0.0, 0.0, 0.0],
    ];
    scalar!(product).row(45).check(&points);
}

#[differentiable]
fn folded(x: &[f64]) -> f64 {
    let horner = x.iter().fold(0.0, |s, v| s * x[0] + v);
    let (sum, largest) = x
        .iter()
        .fold((0.0, f64::NEG_INFINITY), |(sum, largest): (f64, f64), v| {
            (sum + v * v, largest.max(*v))
        });
    horner * sum + largest * largest
}

#[test]
fn folds_of_chains() {
    scalar!(folded).row(48).step(0.02).check(&POINTS);
}

#[differentiable]
fn empty(x: &[f64]) -> f64 {
    let none = &x[..0];
    let s: f64 = none.iter().sum();
    let p: f64 = none.iter().product();
    x[0] * p + s
}

#[test]
fn chains_over_nothing() {
    scalar!(empty).rows(&[45, 154]).check(&POINTS);
}
