//! Constant maps that are iterated and looked up by each other's keys; ranges that methods of constants return, whole.

use di::prelude::*;
use di_test::scalar;
use std::collections::{BTreeMap, HashMap};
use std::ops::{Range, RangeInclusive};

const POINTS: [&[f64]; 3] = [&[0.7, 1.1], &[0.2, 0.4], &[1.2, 0.6]];

pub struct Net {
    pub demand: BTreeMap<String, f64>,
    pub index: HashMap<String, usize>,
    pub order: Vec<usize>,
}

#[differentiable]
fn by_name(x: &[f64], #[constant] net: &Net) -> f64 {
    let mut sum = 0.0;
    for (name, d) in &net.demand {
        if let Some(i) = net.index.get(name) {
            sum += d * x[*i] * x[*i];
        }
    }
    for (name, d) in net.demand.iter() {
        sum += d * x[net.index[name]] * x[0];
    }
    for name in net.demand.keys() {
        sum *= x[net.index[name.as_str()]] + x[0];
    }
    for (name, i) in &net.index {
        sum += x[net.order[*i]] * net.demand.get(name).map_or(0.3, |d| d * x[*i]);
    }
    sum
}

#[test]
fn maps_by_names() {
    let name = |k: usize| ["a", "b"][k].to_owned();
    let net = Net {
        demand: [(name(0), 0.3), (name(1), 0.7)].into(),
        index: [(name(0), 1), (name(1), 0)].into(),
        order: vec![1, 0],
    };
    scalar!(by_name::AD.with(&net), |x| by_name(x, &net))
        .row(433)
        .takes_memory()
        .check(&POINTS);
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Heavy,
    Light,
}

impl Kind {
    fn half(&self) -> f64 {
        match self {
            Kind::Heavy => 0.5,
            Kind::Light => 2.0,
        }
    }
}

struct Record {
    at: f64,
    found: Vec<f64>,
    of: Kind,
}

#[differentiable]
fn drift(x: f64, #[constant] r: &Record) -> f64 {
    (x * r.at).sin() * r.found.len() as f64
}

#[differentiable]
fn by_kind(
    x: &[f64],
    #[constant] order: &[Kind],
    #[constant] rates: &BTreeMap<Kind, f64>,
    #[constant] records: &BTreeMap<Kind, Record>,
) -> f64 {
    let mut total = 0.0;
    for (kind, rate) in rates {
        let i = order.iter().position(|k| k == kind).expect("a known kind");
        total += (x[i] * kind.half() - rate).powi(2);
        if *kind == Kind::Light {
            total += x[0];
        }
    }
    for (kind, record) in records {
        total += (drift(x[0], record) - record.found[0] * kind.half()).powi(2);
        let Record { at, of, .. } = record;
        if of == kind {
            total += at * x[0];
        }
        for y in &record.found {
            total *= x[1] + y;
        }
    }
    total
}

#[test]
fn keys_and_values_as_they_are_given() {
    let order = [Kind::Light, Kind::Heavy];
    let rates = [(Kind::Heavy, 0.3), (Kind::Light, 0.7)].into();
    let record = |at, of| Record {
        at,
        found: vec![0.8 * at, 1.4],
        of,
    };
    let records = [
        (Kind::Heavy, record(0.3, Kind::Light)),
        (Kind::Light, record(0.9, Kind::Light)),
    ]
    .into();
    scalar!(by_kind::AD.with(&order[..], &rates, &records), |x| by_kind(
        x, &order, &rates, &records
    ))
    .row(1002)
    .takes_memory()
    .check(&POINTS);
}

pub struct Layout {
    n: usize,
    k: f64,
}

impl Layout {
    fn closed(&self) -> RangeInclusive<usize> {
        0..=self.n
    }
    fn open(&self) -> Range<usize> {
        0..self.n
    }
    fn last(&self) -> &usize {
        &self.n
    }
    fn scale(&self) -> &f64 {
        &self.k
    }
}

#[differentiable]
fn ends(x: &[f64], #[constant] l: &Layout) -> f64 {
    let r = l.closed();
    let k = *r.start();
    let mut sum = x[k] * x[*r.end()];
    if r.contains(&1) {
        sum *= x[*l.closed().start()];
    }
    sum + x[*l.last()] * x[0] * *l.scale() + l.scale().sin() * x[1]
}

#[differentiable]
fn steps(x: &[f64], #[constant] l: &Layout) -> f64 {
    let mut sum = 1.0;
    let mut open = l.open();
    if let Some(i) = open.next() {
        sum *= x[i];
    }
    let mut closed = l.closed();
    while let Some(i) = closed.next() {
        sum *= x[i] * sum;
    }
    let mut n = 1;
    let mut counted = 0..n;
    n += 5;
    while let Some(i) = counted.next() {
        sum += x[i] * n as f64;
    }
    sum * x[open.len()]
}

#[test]
fn ranges_of_methods() {
    let layout = Layout { n: 1, k: 0.4 };
    scalar!(ends::AD.with(&layout), |x| ends(x, &layout))
        .row(434)
        .check(&POINTS);
    scalar!(steps::AD.with(&layout), |x| steps(x, &layout))
        .row(434)
        .check(&POINTS);
}
