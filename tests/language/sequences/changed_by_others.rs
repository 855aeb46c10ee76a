//! Numbers and collections that functions without an attribute change, by `&mut`.

use di::prelude::*;
use di_test::scalar;
use std::collections::{HashMap, HashSet, VecDeque};

const POINTS: [&[f64]; 2] = [&[0.3, 1.2, -0.7], &[1.1, -0.4, 0.9]];

/// A congruential generator: uniform in [0, 1).
fn next(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as f64 / (1_u64 << 31) as f64
}

fn bump(n: &mut usize) {
    *n += 1;
}

fn double(factor: &mut f64) {
    *factor *= 2.0;
}

fn mark(seen: &mut [bool], i: usize) -> bool {
    std::mem::replace(&mut seen[i], true)
}

fn push_neighbours(edges: &[Vec<usize>], i: usize, queue: &mut VecDeque<usize>) {
    for &j in &edges[i] {
        queue.push_back(j);
    }
}

fn count_up(counts: &mut HashMap<usize, usize>, k: usize) -> usize {
    let n = counts.entry(k).or_insert(0);
    *n += 1;
    *n
}

fn both(order: &mut Vec<usize>, seen: &mut HashSet<usize>, k: usize) {
    if seen.insert(k) {
        order.push(k);
    }
}

fn words(text: &str, list: &mut Vec<String>) {
    for word in text.split_whitespace() {
        list.push(word.to_owned());
    }
}

/// A mean of samples, whose parameters are differentiated along the path.
#[differentiable]
fn sampled(x: &[f64], n: usize) -> f64 {
    let mut seed = 42;
    let mut s = 0.0;
    for _ in 0..n {
        let u = next(&mut seed);
        s += (x[0] + x[1] * (u - next(&mut seed))).exp();
        if next(&mut seed) < 0.3 {
            s += u * x[2];
        }
    }
    s / n as f64
}

#[differentiable]
fn until(x: &[f64]) -> f64 {
    let mut seed = 1_u64;
    let (mut n, mut t) = (0, x[0]);
    while next(&mut seed) < 0.8 {
        bump(&mut n);
        t += x[n % 3] * x[n % 3] / n as f64;
    }
    t
}

#[differentiable]
fn scaled(x: &[f64]) -> f64 {
    let mut factor = 0.5;
    let mut s = 0.0;
    for v in x {
        double(&mut factor);
        s += factor * v.sin();
        if factor > 3.0 {
            factor = 0.25;
        }
    }
    s * factor
}

#[differentiable]
fn wide(x: &[f64], edges: &[Vec<usize>]) -> f64 {
    let mut queue = VecDeque::new();
    let mut seen = vec![false; x.len()];
    queue.push_back(0);
    let mut s = 0.0;
    while let Some(i) = queue.pop_front() {
        if mark(&mut seen, i) {
            continue;
        }
        s = 0.5 * s + x[i] * x[i];
        push_neighbours(edges, i, &mut queue);
    }
    s
}

#[differentiable]
fn counted(x: &[f64], keys: &[usize]) -> f64 {
    let mut counts = HashMap::new();
    let mut s = 0.0;
    for &k in keys {
        s += x[k].powi(3) * count_up(&mut counts, k) as f64;
    }
    s * counts.len() as f64
}

#[differentiable]
fn ranked(x: &[f64], keys: &[usize]) -> f64 {
    let mut order = Vec::new();
    let mut seen = HashSet::new();
    for &k in keys {
        both(&mut order, &mut seen, k);
    }
    let ranks = order.iter().enumerate();
    ranks
        .map(|(rank, &k)| x[k] * x[k] * (rank + 1) as f64)
        .sum()
}

/// An expression in postfix notation.
#[differentiable]
fn postfix(x: &[f64], text: &str) -> f64 {
    let mut list = Vec::new();
    words(text, &mut list);
    let mut stack: Vec<f64> = Vec::new();
    for word in &list {
        match word.as_str() {
            "+" => {
                let (b, a) = (stack.pop().unwrap(), stack.pop().unwrap());
                stack.push(a + b);
            }
            "*" => {
                let (b, a) = (stack.pop().unwrap(), stack.pop().unwrap());
                stack.push(a * b);
            }
            "x" => stack.push(x[0]),
            "y" => stack.push(x[1]),
            word => stack.push(word.parse().unwrap()),
        }
    }
    stack.pop().unwrap()
}

#[differentiable]
fn weighed(x: &[f64], text: &str) -> f64 {
    let mut s = 0.0;
    for (k, word) in text.split_whitespace().enumerate() {
        let w: f64 = word.parse().unwrap();
        let n: i32 = word.len().try_into().unwrap();
        s += w * x[k].powi(n);
    }
    s
}

#[differentiable]
mod model {
    use std::collections::HashMap;

    /// Steps until 1 is reached.
    pub(crate) fn steps(n: usize, known: &mut HashMap<usize, usize>) -> usize {
        if n == 1 {
            return 0;
        }
        if let Some(&steps) = known.get(&n) {
            return steps;
        }
        let next = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        let found = 1 + steps(next, known);
        known.insert(n, found);
        found
    }

    fn names(text: &str, list: &mut Vec<String>) {
        list.extend(text.split(',').map(str::to_owned));
    }

    pub(crate) fn climbed(x: &[f64]) -> f64 {
        let mut known = HashMap::new();
        let mut s = 0.0;
        for (i, v) in x.iter().enumerate() {
            s += v * v * steps(i + 3, &mut known) as f64;
        }
        s + known.len() as f64 * x[0]
    }

    pub(crate) fn named(x: &[f64], text: &str) -> f64 {
        let mut list = Vec::new();
        names(text, &mut list);
        let mut s = 0.0;
        for (v, name) in x.iter().zip(&list) {
            if name.starts_with('k') {
                s += v.exp();
            }
        }
        s
    }
}

#[test]
fn numbers_that_other_functions_change() {
    scalar!(sampled::AD.with(12), |x| sampled(x, 12))
        .row(580)
        .check(&POINTS);
    scalar!(until).row(580).check(&POINTS);
    scalar!(scaled).row(580).check(&POINTS);
}

#[test]
fn collections_that_other_functions_change() {
    let edges = vec![vec![1, 2], vec![2, 0], vec![0, 1]];
    let keys = [0, 2, 0, 1, 2, 0];
    scalar!(wide::AD.with(&edges), |x| wide(x, &edges))
        .row(581)
        .takes_memory()
        .check(&POINTS);
    scalar!(counted::AD.with(&keys), |x| counted(x, &keys))
        .row(581)
        .takes_memory()
        .check(&POINTS);
    scalar!(ranked::AD.with(&keys), |x| ranked(x, &keys))
        .row(581)
        .takes_memory()
        .check(&POINTS);
    scalar!(model::climbed::AD, model::climbed)
        .row(581)
        .takes_memory()
        .check(&POINTS);
}

#[test]
fn text_that_other_functions_take_apart() {
    let text = "x y * 2.5 x * + x +";
    scalar!(postfix::AD.with(text), |x| postfix(x, text))
        .rows(&[581, 582])
        .takes_memory()
        .check(&POINTS);
    scalar!(model::named::AD.with("kg,m,k"), |x| model::named(
        x, "kg,m,k"
    ))
    .row(581)
    .takes_memory()
    .check(&POINTS);
    scalar!(weighed::AD.with("2 1.5 -3"), |x| weighed(x, "2 1.5 -3"))
        .row(582)
        .takes_memory()
        .check(&POINTS);
}
