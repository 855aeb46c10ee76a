//! Lists of options as parameters: tables of what is known already.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.9, 0.7, 1.3], &[1.4, -0.9, 0.6]];

#[differentiable]
fn grown(x: f64, n: usize, memo: &mut Vec<Option<f64>>) -> f64 {
    if n < 2 {
        return x;
    }
    if let Some(v) = memo[n] {
        return v;
    }
    let v = grown(x, n - 1, memo) * x.sin() + grown(x, n - 2, memo);
    memo[n] = Some(v);
    v
}

#[differentiable]
fn table(x: &[f64]) -> f64 {
    let mut memo = vec![None; 9];
    let a = grown(x[0] * x[1], 8, &mut memo);
    a * memo[3].unwrap() + grown(x[0], 5, &mut memo) * x[2]
}

#[differentiable]
fn total(found: &[Option<f64>]) -> f64 {
    found.iter().flatten().sum()
}

#[differentiable]
fn totals(x: &[f64]) -> f64 {
    let found = vec![Some(x[0]), None, Some(x[1] * x[2])];
    total(&found) * total(&found[1..])
}

#[differentiable]
fn counted(x: f64, n: usize, memo: Vec<Option<f64>>) -> (f64, Vec<Option<f64>>) {
    if n < 2 {
        return (x, memo);
    }
    if let Some(v) = memo[n] {
        return (v, memo);
    }
    let (a, memo) = counted(x, n - 1, memo);
    let (b, mut memo) = counted(x, n - 2, memo);
    let v = a * x + b;
    memo[n] = Some(v);
    (v, memo)
}

#[differentiable]
fn handed(x: &[f64]) -> f64 {
    let (a, memo) = counted(x[0], 6, vec![None; 7]);
    a * memo[4].unwrap_or(x[1]) + x[2]
}

#[differentiable]
fn put(to: &mut Vec<Option<f64>>, k: usize, v: f64) {
    if k >= to.len() {
        to.resize(k + 1, None);
    }
    to[k] = Some(v);
}

#[differentiable]
fn resized(x: &[f64]) -> f64 {
    let mut places = Vec::new();
    for (k, v) in x.iter().enumerate() {
        put(&mut places, 2 * k, v * v);
    }
    let items = places.iter().enumerate();
    items.map(|(k, v)| v.unwrap_or(x[0]) * k as f64).sum()
}

#[differentiable]
mod inside {
    fn taken(slots: &mut [Option<f64>; 3], v: f64) -> f64 {
        slots[1] = slots[0].map(|a| a * v);
        slots[2].take().unwrap_or(v)
    }

    fn walk(x: &[f64], at: usize, best: &mut [Option<f64>]) -> f64 {
        if at >= x.len() {
            return 1.0;
        }
        if let Some(v) = best[at] {
            return v;
        }
        let near = walk(x, at + 1, best) * x[at];
        let far = walk(x, at + 2, best) + x[at];
        let v = if near > far { near } else { far };
        best[at] = Some(v);
        v
    }

    pub fn all(x: &[f64]) -> f64 {
        let mut slots = [Some(x[0]), None, Some(x[1])];
        let a = taken(&mut slots, x[2]);
        let b = taken(&mut slots, x[1]);
        let mut best = [None; 3];
        a * slots[1].unwrap() + b * x[1] + walk(x, 0, &mut best)
    }
}

#[test]
fn tables_of_options() {
    scalar!(table).row(691).check(&POINTS);
    scalar!(totals).row(691).check(&POINTS);
    scalar!(handed).row(691).check(&POINTS);
    scalar!(resized).row(691).check(&POINTS);
    scalar!(inside::all::AD, inside::all)
        .row(691)
        .check(&POINTS);
}
