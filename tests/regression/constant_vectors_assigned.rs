//! Vectors of integers that are given what constant code makes: the old length was kept, and the copy panicked.

#![allow(clippy::all, reason = "the constructs under test, as users write them")]

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.3, 0.4], &[-0.7, 0.9, 1.9]];

fn order(n: usize) -> Vec<usize> {
    (0..n).rev().collect()
}

fn sorted(n: usize) -> Option<Vec<usize>> {
    (n > 2).then(|| order(n))
}

#[differentiable]
fn assigned(p: &[f64]) -> f64 {
    let mut o: Vec<usize> = vec![];
    let mut sum = 0.0;
    for n in 1..4 {
        o = order(n);
        sum += p[o[0]] * p[o[n - 1]];
    }
    if p[0] > 0.0 {
        o = order(2);
    }
    sum * p[o[0]] * o.len() as f64
}

#[differentiable]
fn chosen(p: &[f64]) -> f64 {
    let o: Vec<usize> = if p[0] > 0.0 { order(3) } else { vec![1, 1] };
    let q: Vec<usize> = match p.len() {
        3 => order(3),
        _ => order(1),
    };
    p[o[0]] * p[q[1]] * q.len() as f64
}

#[differentiable]
fn found(p: &[f64]) -> f64 {
    let o: Vec<usize> = match sorted(p.len()) {
        Some(o) => o,
        None => return 0.0,
    };
    o.iter()
        .enumerate()
        .map(|(k, &i)| p[i] * (k + 1) as f64)
        .sum::<f64>()
        * p[0]
}

#[test]
fn vectors_take_the_length_of_what_they_are_given() {
    scalar!(assigned).takes_memory().check(&POINTS);
    scalar!(chosen).takes_memory().check(&POINTS);
    scalar!(found).takes_memory().check(&POINTS);
}
