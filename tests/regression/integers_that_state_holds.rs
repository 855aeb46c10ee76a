//! Integers without a suffix in a queue or a map that changes were unsigned: below zero they wrapped.

use di::prelude::*;
use di_test::scalar;
use std::collections::{BTreeMap, VecDeque};

const POINTS: [&[f64]; 2] = [&[0.31, 0.72, 0.15, 0.55], &[-0.3, 0.8, 1.1, 0.2]];

#[differentiable]
fn queued(x: &[f64]) -> f64 {
    let mut queue = VecDeque::from([(1usize, 1)]);
    let mut s = 0.0;
    while let Some((i, w)) = queue.pop_front() {
        s += w as f64 * x[i] * x[0];
        if i < 3 {
            queue.push_back((i + 1, w - 1));
        }
    }
    s
}

#[differentiable]
fn mapped(x: &[f64]) -> f64 {
    let mut weights = BTreeMap::new();
    weights.insert(0usize, 0);
    let mut s = 0.0;
    for i in 0..3usize {
        let w = weights[&i];
        s += w as f64 * x[i] * x[i];
        let next = w - 2;
        weights.insert(i + 1, next);
    }
    s
}

#[test]
fn they_may_be_negative() {
    scalar!(queued).takes_memory().check(&POINTS);
    scalar!(mapped).takes_memory().check(&POINTS);
}
