//! Elements of slices: indices, sub-slices, stores, buffers that are overwritten.

use di::prelude::*;
use di_test::{inplace, scalar};

#[differentiable]
fn computed_indices(x: &[f64]) -> f64 {
    let n = x.len();
    let last = n - 1;
    let mut k = 0;
    let mut s = x[last] * x[n / 2];
    for i in 0..n {
        k = (k + 2 * i + 1) % n;
        s += x[k] * x[last - i];
    }
    s
}

#[test]
fn indices_that_are_computed() {
    scalar!(computed_indices)
        .rows(&[24, 28, 95])
        .check(&[&[0.7, 1.1, -0.4], &[-1.2, 0.4, 2.0, 0.3]]);
}

#[differentiable]
fn sub_slices(x: &[f64]) -> f64 {
    let n = x.len();
    let (head, tail) = (&x[..2], &x[2..]);
    let middle = &x[1..n - 1];
    let mut s = head[0] * head[1];
    for i in 0..tail.len() {
        s += tail[i] * tail[i] * middle[0];
    }
    for v in middle {
        s += v.sin();
    }
    s
}

#[test]
fn sub_slices_that_overlap() {
    scalar!(sub_slices)
        .row(30)
        .check(&[&[0.7, 1.1, -0.4], &[-1.2, 0.4, 2.0, 0.3, 1.0]]);
}

#[differentiable]
fn sub_slice_of_vector(x: &[f64]) -> f64 {
    let n = x.len();
    let mut work = vec![0.0; 2 * n];
    for i in 0..n {
        work[i] = x[i] * x[i];
        work[n + i] = x[i].exp();
    }
    {
        let left = &mut work[..n];
        left[0] *= 3.0;
    }
    let (low, high) = (&work[..n], &work[n..]);
    let mut s = 0.0;
    for i in 0..n {
        s += low[i] * high[n - 1 - i];
    }
    s
}

#[test]
fn sub_slices_of_a_local_vector() {
    scalar!(sub_slice_of_vector)
        .row(30)
        .check(&[&[0.7, 1.1, -0.4], &[-1.2, 0.4]]);
}

#[differentiable]
fn squares(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = x[i] * x[i];
    }
}

#[test]
fn outputs_are_stored() {
    inplace!(squares, 3)
        .rows(&[25, 81, 156])
        .check(&[&[0.7, 1.1, -0.4], &[0.0, 2.0, -1.0]]);
}

#[differentiable]
fn accumulated(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i % 2] += x[i] * x[0];
        y[1] -= x[i].sin();
    }
    y[0] *= y[1];
}

#[test]
fn outputs_start_at_zero_and_are_accumulated() {
    inplace!(accumulated, 2)
        .rows(&[26, 156])
        .check(&[&[0.7, 1.1, -0.4], &[0.3, 2.0, -1.0]]);
}

#[differentiable]
fn overwritten(x: &[f64], y: &mut [f64]) {
    y[0] = x[0] * x[1];
    y[1] = y[0] * y[0];
    y[0] = x[1].sin() * y[1];
    y[0] = y[0] * y[0] + x[0];
    y[1] = 2.0;
    y[1] *= x[0];
}

#[test]
fn elements_that_are_overwritten() {
    inplace!(overwritten, 2)
        .rows(&[25, 27, 29])
        .check(&[&[0.7, 1.1], &[-1.3, 0.2]]);
}

#[differentiable]
fn rotated(x: &[f64], y: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        y[i] = x[i].sin();
    }
    for _ in 0..2 {
        let first = y[0];
        for i in 1..n {
            y[i - 1] = y[i] * first;
        }
        y[n - 1] = first;
    }
}

#[test]
fn elements_that_move_in_place() {
    inplace!(rotated, 3)
        .rows(&[27, 29])
        .check(&[&[0.7, 1.1, -0.4], &[0.3, 2.0, -1.0]]);
}

#[differentiable]
fn prefix_sums(x: &[f64], y: &mut [f64]) {
    y[0] = x[0];
    for i in 1..x.len() {
        y[i] = y[i - 1] * x[i] + x[i - 1];
    }
}

#[test]
fn elements_that_depend_on_the_one_before() {
    inplace!(prefix_sums, 4)
        .rows(&[25, 29])
        .check(&[&[0.7, 1.1, -0.4, 2.0]]);
}

#[differentiable]
fn one_output_of_three(x: &[f64], y: &mut [f64]) {
    y[1] = x[0] * x[1];
}

#[test]
fn outputs_never_written_are_zero() {
    inplace!(one_output_of_three, 3)
        .row(156)
        .check(&[&[0.7, 1.1]]);
}
