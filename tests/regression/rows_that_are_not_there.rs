//! Options of rows, `if let Some(row) = rows.get(k)`: where the list is shorter, generated code read the bounds of a row that
//! is not there, and panicked.

use di::prelude::*;
use di_test::scalar;
use std::collections::VecDeque;

const POINTS: [&[f64]; 2] = [&[0.4, 0.7], &[1.3, -0.6]];

#[differentiable]
fn growing(w: &[f64]) -> f64 {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    let mut s = 0.0;
    for k in 0..3 {
        if let Some(r) = rows.last() {
            s += r[0] * r[1];
        }
        if let Some(r) = rows.first() {
            s += r[0] * w[1];
        }
        s += rows.get(1).map_or(w[0], |r| r[0] * w[0]);
        if let Some(r) = rows.get_mut(k) {
            r[0] += w[0];
        }
        if let Some(r) = rows.last_mut() {
            r[1] *= w[0];
        }
        if let Some(x) = rows.get(k).and_then(|r| r.get(1)) {
            s += x * x;
        }
        if let Some((head, rest)) = rows.split_first() {
            s += head[0] * rest.len() as f64;
        }
        if k != 1 {
            rows.push(vec![w[0] * (k + 1) as f64, w[1]]);
        }
    }
    s
}

#[differentiable]
fn delayed(w: &[f64]) -> f64 {
    let mut rows: VecDeque<Vec<f64>> = VecDeque::new();
    let mut s = 0.0;
    for k in 0..4 {
        if let Some(r) = rows.back() {
            s += r[0] * r[1];
        }
        if let Some(r) = rows.front() {
            s += r[0] * w[1];
        }
        if let Some(r) = rows.front_mut() {
            r[0] *= w[1];
        }
        s += rows.get(2).map(|r| r[0] * w[0]).unwrap_or(0.5);
        rows.push_back(vec![w[0] * (k + 1) as f64, w[1]]);
        if k == 2
            && let Some(r) = rows.pop_front()
        {
            s += r[0];
        }
    }
    s
}

#[differentiable]
fn found(w: &[f64], table: &[Vec<usize>]) -> f64 {
    let rows: Vec<Vec<f64>> = w.chunks(2).map(|c| c.to_vec()).collect();
    let mut s = 0.0;
    for t in table {
        let Some(k) = t.get(1) else { continue };
        let Some(row) = rows.get(*k) else {
            s += w[0];
            continue;
        };
        s += row.last().map_or(0.0, |last| last * last);
        let Some(next) = rows.get(k + 1) else { break };
        s += next[0] * row[0];
    }
    s
}

#[test]
fn rows_that_are_not_there() {
    scalar!(growing).check(&POINTS);
    scalar!(delayed).check(&POINTS);
    let table = [vec![0, 0], vec![1], vec![2, 7], vec![0, 1], vec![3, 2]];
    scalar!(found::AD.with(&table), |x: &[f64]| found(x, &table))
        .check(&[&[0.4, 0.7, 0.3, 1.1, 0.9, 0.2]]);
}
