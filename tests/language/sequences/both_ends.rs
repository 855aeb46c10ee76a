//! Both ends of maps of numbers and of chains.

use di::prelude::*;
use di_test::scalar;
use std::collections::BTreeMap;

const POINTS: [&[f64]; 2] = [&[1.0, 2.0, 1.5], &[0.7, 0.3, 1.9]];

#[differentiable]
fn a(x: &[f64]) -> f64 {
    let days = [1u32, 12, 1];
    let mut m: BTreeMap<u32, f64> = BTreeMap::new();
    for (d, a) in days.iter().zip(x) {
        *m.entry(*d).or_insert(0.0) += 2.0 * a * a;
    }
    let r = m.last_key_value().map_or(0.0, |(_, v)| *v);
    let mut s = r * r;
    if let Some((k, v)) = m.first_key_value() {
        s += *k as f64 * v.sin();
    }
    let (k, v) = m.last_key_value().unwrap();
    s += *v * *k as f64;
    s + m.first_key_value().unwrap().1 * x[0] + m.iter().next().map_or(0.0, |(_, v)| *v)
}
#[differentiable]
fn b(x: &[f64]) -> f64 {
    let mut m: BTreeMap<i64, f64> = BTreeMap::new();
    for (k, a) in x.iter().enumerate() {
        m.insert(-(k as i64), a * x[0]);
    }
    let mut s = 1.0;
    while let Some((k, v)) = m.pop_first() {
        s += s * v * (k as f64 + 0.5);
        if k == -2 {
            m.insert(5, s);
        }
    }
    m.insert(3, s);
    m.insert(1, x[2]);
    if let Some((_, v)) = m.pop_last() {
        s *= v;
    }
    s + m.values().sum::<f64>()
}
#[differentiable]
fn c(x: &[f64]) -> f64 {
    let a = x.iter().map(|v| v * v).next_back().unwrap();
    let b = x
        .iter()
        .filter(|v| **v < 1.8)
        .next_back()
        .copied()
        .unwrap_or(0.0);
    let mut m: BTreeMap<i64, f64> = BTreeMap::new();
    for (k, a) in x.iter().enumerate() {
        m.insert(-(k as i64), a * x[0]);
    }
    a * b
        + m.iter().next_back().map_or(0.0, |(_, v)| *v)
        + m.values().next_back().unwrap()
        + *x.iter().next_back().unwrap()
}

#[test]
fn ends_of_maps() {
    scalar!(a::AD, a).takes_memory().row(925).check(&POINTS);
    scalar!(b::AD, b).takes_memory().row(925).check(&POINTS);
}

#[test]
fn ends_of_chains() {
    scalar!(c::AD, c).takes_memory().row(926).check(&POINTS);
}
