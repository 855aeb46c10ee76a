//! Maps and texts that change anywhere, and collections of collections.

use di::prelude::*;
use di_test::scalar;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::fmt::Write;

const POINTS: [&[f64]; 3] = [
    &[0.31, 0.72, 0.15, 0.55, 1.2],
    &[0.85, 0.44, 0.52, 0.91, 0.3],
    &[0.05, 0.93, 0.64, 0.27, 0.8],
];

#[differentiable]
fn counted(x: &[f64], #[constant] kinds: &[usize]) -> f64 {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    let mut s = 0.0;
    for (i, &k) in kinds.iter().enumerate() {
        *counts.entry(k).or_insert(0) += 1;
        s += x[i % 5] * counts[&k] as f64;
        if let Some(n) = counts.get(&(k + 1)) {
            s *= 1.0 + 0.1 * *n as f64 * x[k];
        }
        if counts.contains_key(&2) && counts.len() > 1 {
            s += x[2].cos();
        }
    }
    for (&k, &n) in &counts {
        s += x[k] * x[k] * n as f64;
    }
    for (k, n) in counts.iter() {
        s *= 1.0 + 0.05 * x[*k] * *n as f64;
    }
    let most = counts.values().copied().max().unwrap_or(0);
    s + most as f64 * x[0]
}

#[test]
fn maps_of_counts() {
    let kinds = [0, 1, 1, 2, 3, 1, 0];
    scalar!(counted::AD.with(&kinds), |x: &[f64]| counted(x, &kinds))
        .row(492)
        .takes_memory()
        .check(&POINTS);
}

#[differentiable]
fn borrowed(x: &[f64], #[constant] kinds: &[usize]) -> f64 {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    let mut s = 0.0;
    for (i, &k) in kinds.iter().enumerate() {
        let c = counts.entry(k).or_insert(0);
        *c += 1;
        let n = *c;
        s += x[i % 5] * n as f64;
        if let Some(m) = counts.get_mut(&(k + 1)) {
            *m += 2;
            s *= x[k].cos();
        }
        match counts.get(&0) {
            Some(&n) if n > 1 => s += x[0],
            Some(n) => s += x[1] * *n as f64,
            None => s -= x[2],
        }
        let n = counts.get(&k).copied().unwrap_or(0);
        s += x[3] * n as f64;
        let total: usize = counts.values().sum();
        s += x[4] * total as f64;
    }
    s
}

#[differentiable]
fn words(x: &[f64], #[constant] text: &str) -> f64 {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut s = 0.0;
    for w in text.split_whitespace() {
        let n = counts.entry(w).or_insert(0);
        *n += 1;
        if *n > 1 {
            s += x[*n] * x[0];
        }
        if counts.len() == 2 {
            s += x[1];
        }
    }
    let mut names: Vec<&str> = counts.keys().copied().collect();
    names.sort();
    for (name, n) in &counts {
        if *name == "a" {
            s += x[2] * *n as f64;
        } else if name.len() > 1 {
            s += x[3];
        }
    }
    s
}

#[differentiable]
fn weighted(x: &[f64], #[constant] w: &[f64]) -> f64 {
    let mut best: BTreeMap<usize, f64> = BTreeMap::new();
    let mut s = 0.0;
    for (i, &v) in w.iter().enumerate() {
        let b = best.entry(i % 2).or_insert(0.0);
        if v > *b {
            *b = v;
        }
        s += x[i] * best[&(i % 2)];
    }
    let all: f64 = best.values().sum();
    let top = best.values().fold(0.0, |a: f64, b| a.max(*b));
    s * all + x[0] * top
}

#[test]
fn maps_whose_values_are_borrowed() {
    let kinds = [0, 1, 1, 2, 3, 1, 0];
    scalar!(borrowed::AD.with(&kinds), |x: &[f64]| borrowed(x, &kinds))
        .row(493)
        .takes_memory()
        .check(&POINTS);
    let text = "a b a cc a b";
    scalar!(words::AD.with(text), |x: &[f64]| words(x, text))
        .row(493)
        .takes_memory()
        .check(&POINTS);
    let w = [0.3, 0.7, 0.2, 0.9, 0.4];
    scalar!(weighted::AD.with(&w), |x: &[f64]| weighted(x, &w))
        .row(493)
        .takes_memory()
        .check(&POINTS);
}

#[differentiable]
fn texts(x: &[f64], #[constant] words: &[&str]) -> f64 {
    let mut path = String::new();
    let mut seen: HashSet<String> = HashSet::new();
    let mut s = 0.0;
    for (i, w) in words.iter().enumerate() {
        path.push_str(w);
        if path.len() > 4 {
            s += x[i] * path.len() as f64;
            path.clear();
        }
        if path == "ab" {
            s *= x[0];
        }
        if seen.insert(w.to_string()) {
            s += x[i].exp();
        }
        let key = format!("{}-{}", w, i % 2);
        if !seen.contains(&key) {
            seen.insert(key);
            s += x[1] * x[i];
        }
    }
    s
}

#[differentiable]
fn logged(x: &[f64]) -> f64 {
    let mut log = String::new();
    let mut open: VecDeque<String> = VecDeque::new();
    let mut s = 0.0;
    for i in 0..x.len() {
        write!(log, "{i};").unwrap();
        if x[i] > 0.5 {
            open.push_back(format!("{}{}", i, log.len()));
        }
        let Some(name) = open.front() else { continue };
        s += x[i] * name.len() as f64;
        if log.ends_with("3;") {
            s *= x[0].cos();
        }
    }
    while let Some(name) = open.pop_front() {
        match name.as_str() {
            "12" => s += x[1],
            other if other.len() > 1 => s *= x[2],
            _ => s -= x[3],
        }
    }
    s
}

#[test]
fn texts_that_are_built() {
    let words = ["a", "b", "abcde", "a", "ab"];
    scalar!(texts::AD.with(&words), |x: &[f64]| texts(x, &words))
        .row(494)
        .takes_memory()
        .check(&POINTS);
    scalar!(logged).row(494).takes_memory().check(&POINTS);
}

#[differentiable]
fn rated(x: &[f64], #[constant] games: &[(&str, &str)]) -> f64 {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut ratings: Vec<f64> = Vec::new();
    for (winner, loser) in games {
        let i = *places.entry(winner).or_insert(ratings.len());
        if i == ratings.len() {
            ratings.push(x[1]);
        }
        let j = *places.entry(loser).or_insert(ratings.len());
        if j == ratings.len() {
            ratings.push(x[1]);
        }
        let expected = 1.0 / (1.0 + (ratings[j] - ratings[i]).exp());
        ratings[i] += x[0] * (1.0 - expected);
        ratings[j] -= x[0] * (1.0 - expected);
    }
    places.values().map(|&i| ratings[i] * ratings[i]).sum()
}

#[test]
fn maps_of_places() {
    let games = [("a", "b"), ("b", "c"), ("a", "c"), ("c", "a")];
    scalar!(rated::AD.with(&games), |x: &[f64]| rated(x, &games))
        .row(496)
        .takes_memory()
        .check(&POINTS);
}

#[differentiable]
fn marked(x: &[f64]) -> f64 {
    let mut names: Vec<String> = Vec::new();
    let mut near: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); 3];
    let mut s = 0.0;
    for i in 0..5 {
        near[i % 3].insert(i);
        if near[i % 3].len() > 1 {
            names.push(format!("n{i}"));
            s += x[i] * x[*near[i % 3].first().unwrap()];
        }
    }
    for name in &names {
        s *= 1.0 + 0.1 * name.len() as f64 * x[names.len()];
    }
    s
}

#[test]
fn vectors_of_texts_and_of_sets() {
    scalar!(marked).row(497).takes_memory().check(&POINTS);
}
