//! Constants without an index, comparisons of structs, and parts that are taken one after the other.

#![allow(
    clippy::all,
    clippy::unwrap_used,
    unreachable_pub,
    reason = "the constructs under test, as users write them"
)]

use di::prelude::*;
use di_test::scalar;
use std::collections::{BTreeMap, BTreeSet, HashMap};

const POINTS: [&[f64]; 2] = [&[0.7, 1.3, -0.4, 0.2], &[1.2, 0.4, 0.9, -1.1]];

// ---- maps, sets and texts ----

struct Row {
    x: f64,
    y: f64,
}

#[differentiable]
fn loglik(t: &[f64], #[constant] groups: &BTreeMap<String, Vec<Row>>) -> f64 {
    let mut sum = 0.0;
    for (name, rows) in groups {
        let resid: Vec<f64> = rows.iter().map(|r| r.y - t[0] - t[1] * r.x).collect();
        sum += resid.iter().map(|r| r * r).sum::<f64>() * t[name.len() - 1];
    }
    for (_, rows) in groups.iter() {
        sum += rows[0].x * t[1].sin();
    }
    for rows in groups.values() {
        sum += rows[0].x * t[1].cos();
    }
    sum
}

#[differentiable]
fn weighted(
    x: &[f64],
    #[constant] weights: &HashMap<usize, f64>,
    #[constant] picked: &BTreeSet<usize>,
) -> f64 {
    let mut sum = 0.0;
    for (k, w) in weights {
        if *k > 0 && *w > 0.1 {
            sum += x[*k] * w;
        }
    }
    for (&k, &w) in weights {
        sum += x[k].sin() * w;
    }
    for k in picked {
        sum *= 1.0 + x[*k];
    }
    for &k in picked.iter() {
        sum *= x[k];
    }
    let all: f64 = weights.iter().map(|(k, w)| x[*k] * w).sum();
    sum + all + picked.iter().map(|k| x[*k]).product::<f64>()
}

#[differentiable]
fn read(x: &[f64], #[constant] marks: &str) -> f64 {
    let mut y = x[0];
    for c in marks.chars() {
        if c == '+' {
            y *= x[1];
        } else {
            y += x[0].sin();
        }
    }
    for (k, word) in marks.split(' ').enumerate() {
        y += x[k % 2] * word.len() as f64;
    }
    y
}

struct Graph {
    edges: BTreeMap<usize, Vec<(usize, f64)>>,
}

#[differentiable]
fn flow(x: &[f64], #[constant] graph: &Graph) -> f64 {
    let mut sum = 0.0;
    for (i, outs) in &graph.edges {
        for (j, w) in outs {
            sum += w * (x[*i] - x[*j]).powi(2);
        }
        for &(j, w) in outs {
            sum += w * (x[*i] * x[j]).sin();
        }
    }
    sum
}

#[test]
fn maps_and_sets_of_constants() {
    let row = |x, y| Row { x, y };
    let groups: BTreeMap<String, Vec<Row>> = [
        ("a".to_owned(), vec![row(0.4, 0.2), row(0.1, -0.2)]),
        ("bb".to_owned(), vec![row(0.7, 0.1)]),
    ]
    .into();
    scalar!(loglik::AD.with(&groups), |t: &[f64]| loglik(t, &groups))
        .row(342)
        .takes_memory()
        .check(&POINTS);
    let weights: HashMap<usize, f64> = [(0, 0.3), (1, 0.7), (3, 0.05)].into();
    let picked: BTreeSet<usize> = [0, 1].into();
    scalar!(weighted::AD.with(&weights, &picked), |x: &[f64]| {
        weighted(x, &weights, &picked)
    })
    .row(342)
    .takes_memory()
    .check(&POINTS);
    let edges = [(0, vec![(1, 0.4)]), (1, vec![(0, 0.2), (2, 0.9)])].into();
    let graph = Graph { edges };
    scalar!(flow::AD.with(&graph), |x: &[f64]| flow(x, &graph))
        .row(342)
        .takes_memory()
        .check(&POINTS);
}

#[test]
fn characters_and_words_of_texts() {
    scalar!(read::AD.with("+- a+"), |x: &[f64]| read(x, "+- a+"))
        .row(343)
        .takes_memory()
        .check(&POINTS);
}

// ---- comparisons of structs ----

#[derive(Clone, Copy, PartialEq, PartialOrd, Differentiable)]
struct Metres(f64);

#[derive(Clone, Copy, PartialEq, PartialOrd, Differentiable)]
struct Place {
    x: f64,
    k: usize,
}

/// Ordered the other way round.
#[derive(Clone, Copy, Differentiable)]
struct Depth {
    v: f64,
}

impl PartialEq for Depth {
    fn eq(&self, other: &Depth) -> bool {
        self.v == other.v
    }
}

impl PartialOrd for Depth {
    fn partial_cmp(&self, other: &Depth) -> Option<std::cmp::Ordering> {
        other.v.partial_cmp(&self.v)
    }
}

#[derive(Clone, Copy, Differentiable)]
struct Ball {
    z: Metres,
}

#[differentiable]
fn compared(x: &[f64]) -> f64 {
    let (a, b) = (Metres(x[0]), Metres(x[1] * x[0]));
    let ball = Ball { z: Metres(x[1]) };
    let mut sum = 0.0;
    if a < b {
        sum += x[0] * x[1];
    } else {
        sum += x[0].sin();
    }
    if ball.z <= Metres(0.5) {
        sum += x[1].powi(3);
    }
    if a != b && Metres(x[0]) == a {
        sum += x[1] * x[0].cos();
    }
    let (p, q) = (Place { x: x[0], k: 1 }, Place { x: x[0], k: 2 });
    if p < q {
        sum *= x[0];
    }
    let (u, v) = (Depth { v: x[0] }, Depth { v: x[1] });
    if u < v {
        sum *= x[1];
    } else {
        sum += x[0] * x[0];
    }
    sum
}

#[test]
fn structs_of_numbers_are_compared_as_their_type_says() {
    scalar!(compared).row(344).check(&POINTS);
}

// ---- parts that are taken one after the other ----

#[differentiable]
fn norm(v: &[f64]) -> f64 {
    v.iter().map(|a| a * a).sum::<f64>().sqrt()
}

#[differentiable]
fn unpacked(x: &[f64]) -> f64 {
    let mut parts = x.chunks_exact(2);
    let a = parts.next().unwrap();
    let b = norm(parts.next().expect("two parts"));
    let mut each = x.iter();
    let first = each.next().unwrap();
    let second = each.next().copied().unwrap();
    let third = *each.nth(1).unwrap();
    let none = each.nth(7).copied().unwrap_or(2.0);
    let rest: f64 = each.map(|v| v * v).sum();
    let mut products = x.windows(2).map(|w| w[0] * w[1]);
    let p = products.next().unwrap() * products.next().unwrap_or(1.0);
    a[0] * a[1] * b + first * second * third * none + rest + p
}

#[differentiable]
fn as_many_as_there_are(x: &[f64]) -> f64 {
    let mut parts = x.chunks(3);
    let (Some(a), Some(b)) = (parts.next(), parts.next()) else {
        return x[0] * x[0];
    };
    let more = if let Some(c) = parts.next() {
        c[0].sin()
    } else {
        a[2] * b[0]
    };
    let mut ends = x[1..].rchunks(2);
    let last = ends.next().map_or(1.0, |e| e[0] * e[1]);
    let none = ends.nth(1).map_or(x[1], |e| e[0]);
    a[0] * b[b.len() - 1] + more * last * none
}

#[test]
fn parts_taken_one_after_the_other() {
    scalar!(unpacked).row(345).check(&POINTS);
    let lengths: [&[f64]; 4] = [
        &[0.7, 1.3],
        &[0.7, 1.3, -0.4, 0.2],
        &[0.7, 1.3, -0.4, 0.2, 1.1, 0.4],
        &[0.7, 1.3, -0.4, 0.2, 1.1, 0.4, -0.6],
    ];
    scalar!(as_many_as_there_are).row(345).check(&lengths);
}
