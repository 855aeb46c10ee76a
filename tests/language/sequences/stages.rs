//! A vector for each stage: what the adjoint of a local vector begins and ends with.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 2.0, 0.3], &[-1.2, 0.4, 0.9, -0.3, 1.5]];

#[differentiable]
fn stages(x: &[f64]) -> f64 {
    let n = x.len();
    let mut first = vec![0.0; n];
    let mut second = vec![0.0; n];
    for i in 0..n {
        first[i] = (x[i] * x[0]).sin();
    }
    for i in 0..n {
        second[i] = first[i] * x[i] - first[i] * first[i];
    }
    let mut s = 0.0;
    for i in 0..n {
        s -= second[i] * x[n - 1 - i];
    }
    s
}

/// Loops that reach a part of the elements, or some in each trip.
#[differentiable]
fn partly(x: &[f64]) -> f64 {
    let n = x.len();
    let mut v = vec![1.0; n];
    for i in 0..n {
        v[(2 * i) % n] *= x[i].exp();
    }
    let mut w = vec![0.0; n];
    for i in 1..n {
        w[i] = v[i] * v[i - 1];
    }
    let mut s = 0.0;
    for i in 1..n {
        if x[i] > 0.0 {
            s += w[i] * w[i];
        }
    }
    for i in 0..n - 1 {
        s += w[i + 1].cos() * v[i];
    }
    s
}

/// Several runs of the region that declares the vectors, in buffers with what the run before left there.
#[differentiable]
fn again(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for k in 0..x.len() {
        let mut v = vec![0.0; k + 1];
        for i in 0..k + 1 {
            v[i] = x[i] * (1.0 + s * s);
        }
        for i in 0..k + 1 {
            v[i] = v[i] * v[i] + x[k];
        }
        let n = v.len();
        for i in 0..n {
            s += 0.1 * v[i].sin();
        }
    }
    s
}

#[differentiable]
fn replaced(x: &[f64], v: &mut [f64]) {
    for i in 0..v.len() {
        v[i] = x[i] * x[i];
    }
    for i in 0..v.len() {
        v[i] = v[i] * v[i] - x[0];
    }
    for i in 0..v.len() {
        v[i] = v[i] * v[(i * 2) % 3] + v[0];
    }
}

#[test]
fn adjoints_of_stages() {
    scalar!(stages).row(36).check(&POINTS);
    scalar!(partly).row(36).step(0.01).check(&POINTS);
    scalar!(again).row(36).step(0.01).check(&POINTS);
    inplace!(replaced, 5).step(0.01).check(&POINTS);
}
