//! Annotated functions that change numbers and collections of their callers.

use di::prelude::*;
use di_test::scalar;
use std::collections::HashSet;

const POINTS: [&[f64]; 2] = [&[0.3, 1.2, -0.7], &[1.1, -0.4, 0.9]];
const KEYS: [usize; 6] = [0, 2, 0, 1, 2, 0];

#[differentiable]
fn counted(x: f64, n: &mut usize) -> f64 {
    *n += 1;
    x * x * *n as f64
}

#[differentiable]
fn sum_counted(x: &[f64]) -> f64 {
    let mut n = 0;
    let mut s = 0.0;
    for v in x {
        s += counted(*v, &mut n);
        if n % 2 == 0 {
            s += counted(s, &mut n);
        }
    }
    s * n as f64
}

#[differentiable]
fn at_first(x: &[f64], seen: &mut [bool], k: usize) -> f64 {
    if seen[k] {
        return 0.1 * x[k];
    }
    seen[k] = true;
    x[k].exp()
}

#[differentiable]
fn sum_at_first(x: &[f64], keys: &[usize]) -> f64 {
    let mut seen = vec![false; x.len()];
    keys.iter().map(|&k| at_first(x, &mut seen, k)).sum()
}

#[differentiable]
fn once(x: &[f64], seen: &mut HashSet<usize>, k: usize) -> f64 {
    if seen.insert(k) { x[k] * x[k] } else { 0.0 }
}

#[differentiable]
fn sum_once(x: &[f64], keys: &[usize]) -> f64 {
    let mut seen = HashSet::new();
    let mut s = 0.0;
    for &k in keys {
        s = 1.5 * s + once(x, &mut seen, k);
    }
    s + seen.len() as f64
}

#[differentiable]
mod model {
    fn next(seed: &mut u64) -> f64 {
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) as f64 / (1_u64 << 31) as f64
    }

    fn draw(mean: f64, deviation: f64, seed: &mut u64) -> f64 {
        let u: f64 = (0..12).map(|_| next(seed)).sum();
        mean + deviation * (u - 6.0)
    }

    /// A step, and how many were refused.
    fn step(x: &[f64], at: f64, seed: &mut u64, refused: &mut u32) -> f64 {
        let to = draw(at, x[1], seed);
        if next(seed) < 0.4 {
            *refused += 1;
            return at;
        }
        to
    }

    pub(crate) fn walk(x: &[f64], steps: usize) -> f64 {
        let (mut seed, mut refused) = (7, 0);
        let mut at = x[0];
        for _ in 0..steps {
            at = step(x, at, &mut seed, &mut refused);
        }
        at * at + x[2] * refused as f64
    }
}

#[test]
fn numbers_of_the_caller() {
    scalar!(sum_counted).row(583).check(&POINTS);
    scalar!(model::walk::AD.with(9), |x| model::walk(x, 9))
        .row(583)
        .check(&POINTS);
}

#[test]
fn collections_of_the_caller() {
    scalar!(sum_at_first::AD.with(&KEYS), |x| sum_at_first(x, &KEYS))
        .row(583)
        .check(&POINTS);
    scalar!(sum_once::AD.with(&KEYS), |x| sum_once(x, &KEYS))
        .row(583)
        .takes_memory()
        .check(&POINTS);
}
