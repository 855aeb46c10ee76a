//! Collections whose types are not written, values with orders and clones of their own, lists of tuples with structs as
//! parameters, and constants in structs that borrow.

use di::prelude::*;
use di_test::scalar;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1], &[1.3, 0.4]];

#[differentiable]
fn sets(x: &[f64]) -> f64 {
    let mut seen = BTreeSet::new();
    seen.insert(3);
    seen.insert(1);
    let mut s = 0.0;
    for k in &seen {
        s += *k as f64 * x[0];
    }
    for k in seen.iter() {
        s += x[1].powi(*k);
    }
    let mut few = HashSet::new();
    for i in 0..5 {
        few.insert(i % 3);
    }
    s += *few.iter().max().unwrap() as f64 * x[1];
    let made: BTreeSet<_> = [3, 1, 2].into_iter().collect();
    for k in &made {
        s += x[1] * *k as f64;
    }
    let from = BTreeSet::from([1, 5]);
    for k in &from {
        s += x[1] * (*k as f64).sqrt();
    }
    s
}

#[differentiable]
fn maps(x: &[f64]) -> f64 {
    let mut m = BTreeMap::new();
    m.insert(1, 3);
    m.insert(4, 2);
    let mut n: HashMap<_, i32> = HashMap::new();
    n.insert(2usize, 7);
    let mut s = 0.0;
    for k in m.keys() {
        s += *k as f64 * x[0];
    }
    for v in m.values() {
        s += *v as f64 * x[1];
    }
    for (k, v) in &m {
        s += *k as f64 * *v as f64 * x[1] * x[0];
    }
    for (k, v) in &n {
        s += x[*k - 1] * *v as f64;
    }
    let mut c = HashMap::new();
    for i in 0..x.len() {
        c.insert(i, 2 * i);
        *c.entry(i + 1).or_insert(0) += 1;
    }
    for (k, v) in &c {
        s += *k as f64 * *v as f64 * x[0];
    }
    s + *m.keys().max().unwrap() as f64 * x[0]
}

#[differentiable]
fn texts(x: &[f64]) -> f64 {
    let mut v = vec!["a".to_string()];
    v.push("bcd".to_string());
    let mut s = 0.0;
    for t in &v {
        s += t.len() as f64 * x[0];
    }
    s * x[1] + v.len() as f64 * x[1]
}

#[differentiable]
mod ordered {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Id {
        pub a: usize,
        pub b: usize,
    }

    /// The last is the least.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Kind {
        A,
        B,
        C,
    }

    impl PartialOrd for Kind {
        fn partial_cmp(&self, other: &Kind) -> Option<std::cmp::Ordering> {
            Some(self.cmp(other))
        }
    }

    impl Ord for Kind {
        fn cmp(&self, other: &Kind) -> std::cmp::Ordering {
            (*other as usize).cmp(&(*self as usize))
        }
    }

    #[derive(Clone, Copy)]
    pub struct Task {
        pub kind: Kind,
    }

    pub fn searched(x: &[f64]) -> f64 {
        let ids = vec![Id { a: 0, b: 1 }, Id { a: 1, b: 1 }, Id { a: 2, b: 0 }];
        let k = ids.binary_search(&Id { a: 1, b: 1 }).unwrap();
        let r = ids.binary_search(&Id { a: 5, b: 1 }).unwrap_or_else(|i| i);
        let kinds = vec![Kind::C, Kind::B, Kind::A];
        let at = kinds.binary_search(&Kind::A).unwrap();
        x[0] * k as f64 + x[1].powi(r as i32) * at as f64
    }

    pub fn greatest(x: &[f64]) -> f64 {
        let all = vec![Task { kind: Kind::B }, Task { kind: Kind::A }];
        let top = all.iter().map(|t| t.kind).max().unwrap();
        let low = all.iter().map(|t| t.kind).min().unwrap();
        let s = if top == Kind::A { x[0] * x[1] } else { x[1] };
        let mut best = Kind::C;
        for task in &all {
            best = best.max(task.kind);
        }
        let least = all[0].kind.min(Kind::C);
        let s = if best == Kind::A && least == Kind::C {
            s * x[1]
        } else {
            s
        };
        if low == Kind::B { s * x[0] } else { s }
    }
}

#[differentiable]
mod cloned {
    /// A clone is another value.
    pub enum Kind {
        A,
        B,
    }

    impl Clone for Kind {
        fn clone(&self) -> Kind {
            match self {
                Kind::A => Kind::B,
                Kind::B => Kind::A,
            }
        }
    }

    fn weight(x: &[f64], kind: &Kind) -> f64 {
        match kind {
            Kind::A => x[0] * x[0],
            Kind::B => x[1].sin(),
        }
    }

    pub fn lists(x: &[f64]) -> f64 {
        let all = vec![Kind::A, Kind::A, Kind::B];
        let b = all.clone();
        let c: Vec<Kind> = all.iter().cloned().collect();
        let mut d = all.to_vec();
        d.extend_from_slice(&all);
        let mut e = Vec::new();
        e.extend_from_slice(&all);
        let filled = vec![Kind::A; 3];
        let sum = |of: &[Kind]| of.iter().map(|k| weight(x, k)).sum::<f64>();
        sum(&b) + 2.0 * sum(&c) + sum(&d) * x[0] + sum(&e) * 3.0 + sum(&filled) * x[1]
    }
}

#[differentiable]
mod web {
    #[derive(Clone, Copy)]
    pub struct Link {
        pub k: f64,
        pub w: f64,
    }

    impl Link {
        fn at(&self, t: f64) -> f64 {
            self.k * t + self.w * t * t
        }
    }

    #[derive(Clone)]
    pub enum Resp {
        Linear(f64),
        Holling { a: f64, h: f64 },
    }

    impl Resp {
        fn eat(&self, n: f64) -> f64 {
            match self {
                Resp::Linear(k) => k * n,
                Resp::Holling { a, h } => a * n / (1.0 + a * h * n),
            }
        }
    }

    fn eaten(all: &[(usize, Resp)]) -> f64 {
        all.iter().map(|(i, r)| r.eat(1.0 + *i as f64)).sum()
    }

    fn linked(all: &[(usize, Link)], t: f64) -> f64 {
        all.iter().map(|(i, l)| l.at(t + *i as f64)).sum()
    }

    fn owned(all: Vec<(Link, f64)>) -> f64 {
        let mut s = 0.0;
        for (l, k) in &all {
            s += l.at(*k) * k;
        }
        s
    }

    pub fn total(x: &[f64]) -> f64 {
        let eats: Vec<(usize, Resp)> = vec![
            (0, Resp::Linear(x[0])),
            (2, Resp::Holling { a: x[0], h: x[1] }),
        ];
        let links = vec![
            (0, Link { k: x[0], w: 0.3 }),
            (2, Link { k: x[1], w: x[0] }),
        ];
        let own = x.iter().map(|v| (Link { k: *v, w: 1.0 }, v * v));
        eaten(&eats) * linked(&links, x[1]) + linked(&links[1..], x[0]) + owned(own.collect())
    }
}

#[differentiable]
mod life {
    #[derive(Clone, Copy)]
    pub struct Node {
        pub t: f64,
        pub v: f64,
    }

    pub struct Curve<'a> {
        nodes: &'a [(f64, f64)],
        k: &'a [f64],
        shift: f64,
    }

    impl<'a> Curve<'a> {
        fn rate(&self, t: f64) -> f64 {
            let mut s = self.shift;
            for &(a, v) in self.nodes {
                s += v * (t - a).powi(2) * self.k[0];
            }
            for n in self.nodes.windows(2) {
                s += (n[1].0 - n[0].0) * t;
            }
            let i = self.nodes.partition_point(|n| n.0 <= 1.5);
            s + self.nodes[i - 1].1 * t
        }
    }

    pub struct Steps<'a> {
        nodes: &'a [Node],
        k: &'a [f64],
    }

    impl<'a> Steps<'a> {
        fn new(nodes: &'a [Node], k: &'a [f64]) -> Self {
            Steps { nodes, k }
        }

        fn rate(&self, t: f64) -> f64 {
            let each = self.nodes.iter().map(|n| n.v * (t - n.t).powi(2));
            each.sum::<f64>() * self.k[0]
        }
    }

    pub fn curves(x: &[f64], #[constant] nodes: &[(f64, f64)]) -> f64 {
        let c = Curve {
            nodes,
            k: x,
            shift: x[0] * x[1],
        };
        let d = Curve {
            nodes: &nodes[..1],
            k: &x[1..],
            shift: 1.0,
        };
        c.rate(x[1]) * d.rate(x[0])
    }

    pub fn steps(x: &[f64], #[constant] nodes: &[Node]) -> f64 {
        let c = Steps { nodes, k: x };
        let d = Steps::new(&nodes[1..], x);
        c.rate(x[1]) * d.rate(x[0])
    }
}

#[test]
fn lists_of_tuples_with_structs() {
    scalar!(web::total::AD, web::total).row(844).check(&POINTS);
}

#[test]
fn constants_in_structs_that_borrow() {
    let nodes = [(1.0, 0.1), (2.0, 0.2)];
    scalar!(life::curves::AD.with(&nodes), |x: &[f64]| life::curves(
        x, &nodes
    ))
    .row(845)
    .check(&POINTS);
    let nodes = nodes.map(|(t, v)| life::Node { t, v });
    scalar!(life::steps::AD.with(&nodes), |x: &[f64]| life::steps(
        x, &nodes
    ))
    .row(845)
    .check(&POINTS);
}

#[test]
fn collections_whose_types_are_not_written() {
    scalar!(sets).row(846).takes_memory().check(&POINTS);
    scalar!(maps).row(846).takes_memory().check(&POINTS);
    scalar!(texts).row(846).takes_memory().check(&POINTS);
}

#[test]
fn orders_of_values_without_floats() {
    scalar!(ordered::searched::AD, ordered::searched)
        .row(847)
        .check(&POINTS);
    scalar!(ordered::greatest::AD, ordered::greatest)
        .row(847)
        .check(&POINTS);
}

#[test]
fn clones_of_values_without_floats() {
    scalar!(cloned::lists::AD, cloned::lists)
        .row(848)
        .check(&POINTS);
}
