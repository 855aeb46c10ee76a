//! What is looked for in sequences and constants, and arrays that are made element by element.

use di::prelude::*;
use di_test::scalar;
use std::collections::{BTreeMap, BTreeSet, HashMap};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1], &[1.3, 0.4]];

// ---- searches ----

#[differentiable]
fn interpolated(x: f64, #[constant] at: &[f64], #[constant] y: &[f64]) -> f64 {
    let k = at.partition_point(|&a| a < x).clamp(1, at.len() - 1);
    let t = (x - at[k - 1]) / (at[k] - at[k - 1]);
    y[k - 1] * (1.0 - t) * x + y[k] * t * t
}

#[differentiable]
fn searched(x: &[f64], #[constant] at: &[f64], #[constant] y: &[f64]) -> f64 {
    let k = at
        .binary_search_by(|a| a.total_cmp(&x[0]))
        .unwrap_or_else(|k| k);
    let found = match at.binary_search_by(|a| a.partial_cmp(&1.0).unwrap()) {
        Ok(k) => x[0] * k as f64,
        Err(k) => x[1] * k as f64,
    };
    let missing = match at.binary_search_by(|a| a.total_cmp(&1.25)) {
        Ok(_) => x[0],
        Err(k) => x[1] * x[1] * k as f64,
    };
    let steps = [1usize, 4, 9, 16];
    let n = steps.binary_search(&9).unwrap_or(0) + steps.binary_search(&5).unwrap_or_else(|n| n);
    let sorted = [x[0] * 0.1, x[1] + 1.0, x[0] + 5.0];
    let j = sorted.partition_point(|v| *v < x[1]);
    interpolated(x[0] * x[1], at, y)
        + y[k] * x[0] * x[0]
        + found
        + missing
        + x[1].powi(n as i32) * sorted[j]
}

#[test]
fn binary_searches() {
    let (at, y) = ([0.0, 0.5, 1.0, 1.5, 2.0], [1.0, -1.0, 3.0, 2.0, 0.5]);
    let f = searched::AD.with(&at, &y);
    scalar!(f, |x| searched(x, &at, &y))
        .row(60)
        .step(0.05)
        .check(&POINTS);
    // what is looked for, as std does
    for wanted in [-1.0, 0.0, 0.7, 1.5, 9.0] {
        let k = at.partition_point(|&a| a < wanted).clamp(1, at.len() - 1);
        let slope = (y[k] - y[k - 1]) / (at[k] - at[k - 1]);
        let value = interpolated(wanted, &at, &y);
        let found = value_and_derivative(
            interpolated::AD.with(&at, &y),
            NoPrep,
            &AutoSource::new(),
            &wanted,
        )
        .unwrap();
        assert!(slope.is_finite());
        assert_eq!(found.0, value);
    }
}

#[differentiable]
fn elements_in_turn(x: &[f64]) -> f64 {
    let v = [x[0], x[1], x[0] * x[1]].map(|t| t.sin());
    let w: [f64; 4] = std::array::from_fn(|k| v[k % 3] * k as f64);
    let mut sum = 0.0;
    let squares = w.map(|t| {
        sum += t;
        t * t
    });
    let signs = [1i32, -2, 3].map(|k| k * 2);
    squares[1] * squares[3] * signs[1] as f64 + sum * w[2]
}

#[differentiable]
#[allow(clippy::ptr_arg)]
fn copied(x: &Vec<f64>) -> Vec<f64> {
    Vec::clone(x)
}

#[differentiable]
fn defaults_and_copies(x: &[f64]) -> f64 {
    let v: Vec<f64> = x.into();
    let w: Vec<f64> = [x[0], x[1] * x[1]].into();
    let c: Vec<f64> = copied(&v);
    let mut k = usize::default();
    let mut done = bool::default();
    let n: i32 = Default::default();
    while !done {
        k += 1;
        done = k > 2;
    }
    v[0] * w[1] * c[1] * k as f64 + x[0].powi(n + 2)
}

#[test]
fn arrays_element_by_element() {
    scalar!(elements_in_turn).rows(&[21, 46]).check(&POINTS);
    scalar!(defaults_and_copies).row(35).check(&POINTS);
}

// ---- constants ----

#[differentiable]
fn looked_up(
    x: &[f64],
    #[constant] weights: &HashMap<usize, f64>,
    #[constant] names: &BTreeMap<String, f64>,
    #[constant] odd: &BTreeSet<usize>,
    #[constant] text: &str,
) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i] * weights[&i];
        if odd.contains(&i) {
            sum *= x[0];
        }
    }
    let missing: f64 = weights.get(&9).copied().unwrap_or(0.5);
    let length = text.chars().count();
    let spaces = text.bytes().filter(|b| *b == b' ').count();
    let bold = if text.starts_with('b') { x[0] } else { 1.0 };
    sum * names["scale"] + missing * x[1].powi(length as i32) * spaces as f64 * bold
}

#[test]
fn constants_that_are_looked_up() {
    let weights = HashMap::from([(0, 0.5), (1, -2.0)]);
    let names = BTreeMap::from([("scale".to_owned(), 1.5)]);
    let odd = BTreeSet::from([1]);
    for text in ["b c", "plain text with words"] {
        let f = looked_up::AD.with(&weights, &names, &odd, text);
        scalar!(f, |x| looked_up(x, &weights, &names, &odd, text))
            .row(138)
            .check(&POINTS);
    }
}
