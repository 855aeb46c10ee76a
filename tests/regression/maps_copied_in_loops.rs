//! A loop over `m.clone()` that changes `m`, a map of differentiated numbers, read the values of the changed map.

use di::prelude::*;
use di_test::scalar;
use std::collections::BTreeMap;

const POINTS: [&[f64]; 2] = [&[1.1, 0.7, 1.3], &[-0.6, 1.9, 2.2]];

#[differentiable]
fn inserted(x: &[f64]) -> f64 {
    let mut m: BTreeMap<usize, f64> = BTreeMap::new();
    m.insert(0, x[0]);
    m.insert(1, x[2]);
    for (k, v) in m.clone() {
        m.insert(k + 1, v * x[1]);
    }
    m.values().map(|v| v * v).sum()
}

#[differentiable]
fn removed(x: &[f64]) -> f64 {
    let mut m: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    m.insert(0, vec![x[0], x[1]]);
    m.insert(1, vec![x[1] * x[2]]);
    for (k, v) in m.clone() {
        if let Some(first) = m.get_mut(&0) {
            first[0] += v[0] * (k + 1) as f64;
        }
        m.remove(&1);
    }
    m.values().map(|v| v[0] * v[0]).sum::<f64>() + m.len() as f64 * x[0]
}

#[differentiable]
fn nested(x: &[f64]) -> f64 {
    let mut m: BTreeMap<usize, f64> = BTreeMap::new();
    m.insert(0, x[0]);
    m.insert(1, x[1]);
    'outer: for (k, v) in m.clone() {
        for (j, w) in m.clone() {
            if j > 2 {
                continue 'outer;
            }
            *m.entry(j + k + 1).or_insert(v) += w * x[2];
        }
    }
    m.iter().map(|(k, v)| v * v * (*k as f64 + 1.0)).sum()
}

#[test]
fn values_are_those_of_the_copy() {
    scalar!(inserted).takes_memory().check(&POINTS);
    scalar!(removed).takes_memory().check(&POINTS);
    scalar!(nested).takes_memory().check(&POINTS);
}
