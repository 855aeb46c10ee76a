//! `#[constant]` fields of any type, which are read through, and methods of the lists in them.

use di::prelude::*;
use di_test::scalar;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

const POINTS: [&[f64]; 3] = [&[0.7, 1.1], &[0.2, 0.4], &[1.2, 0.6]];

#[derive(Clone)]
pub struct Inner {
    pub k: f64,
    pub table: Vec<f64>,
    pub n: usize,
}

impl Inner {
    fn twice(&self) -> f64 {
        2.0 * self.k
    }
}

#[derive(Differentiable, Clone, Copy)]
pub struct Spot {
    pub x: f64,
    pub y: f64,
}

#[derive(Differentiable)]
pub struct Held {
    pub gain: f64,
    #[constant]
    pub limit: Option<f64>,
    #[constant]
    pub pair: (f64, f64),
    #[constant]
    pub rates: HashMap<usize, f64>,
    #[constant]
    pub seen: Vec<(f64, Option<f64>)>,
    #[constant]
    pub spots: Vec<Spot>,
    #[constant]
    pub several: Vec<Inner>,
    #[constant]
    pub steps: [(f64, usize); 2],
}

#[differentiable]
fn of_std(x: &[f64], s: &Held) -> f64 {
    let (p, q) = s.pair;
    let mut sum = s.limit.map_or(x[0] * s.gain, |l| l * x[1]) * s.pair.0 + p * q * x[1];
    sum += match s.limit {
        Some(l) => l * x[0],
        None => x[1],
    };
    sum += s.rates[&1] * x[0] * s.gain;
    if let Some(rate) = s.rates.get(&2) {
        sum *= rate * x[1];
    }
    sum
}

#[differentiable]
fn of_lists(x: &[f64], s: &Held) -> f64 {
    let mut sum = s.seen[0].0 * x[1] + s.spots[0].y * x[0] + s.several[0].table[1] * x[1];
    for (t, c) in &s.seen {
        sum += t * x[0] * s.gain;
        if let Some(c) = c {
            sum *= c * x[1];
        }
    }
    for spot in &s.spots {
        sum += spot.x * x[0] * s.gain;
    }
    for (a, n) in &s.steps {
        sum += a * x[*n] * s.several.first().unwrap().k;
    }
    let seen = s.seen.iter().filter_map(|&(t, c)| c.map(|c| c * x[0] - t));
    sum + seen.map(|r| r * r).sum::<f64>() * x[s.steps[1].1]
}

#[test]
fn of_any_type() {
    for limit in [Some(0.3), None] {
        let held = Held {
            gain: 0.7,
            limit,
            pair: (0.2, 1.3),
            rates: [(1, 0.4), (2, 0.8)].into(),
            seen: vec![(0.2, Some(0.3)), (0.4, None), (0.1, Some(-0.5))],
            spots: vec![Spot { x: 0.2, y: 0.9 }],
            several: vec![inner()],
            steps: [(0.2, 1), (0.4, 0)],
        };
        scalar!(of_std::AD.fix_s(&held), |x| of_std(x, &held))
            .row(429)
            .check(&POINTS);
        scalar!(of_lists::AD.fix_s(&held), |x| of_lists(x, &held))
            .row(429)
            .check(&POINTS);
    }
}

fn inner() -> Inner {
    Inner {
        k: 0.3,
        table: vec![0.2, 0.4],
        n: 1,
    }
}

#[derive(Differentiable)]
pub struct Shared {
    pub gain: f64,
    #[constant]
    pub inner: Rc<Inner>,
    #[constant]
    pub other: Arc<Inner>,
    #[constant]
    pub own: Box<Inner>,
}

#[differentiable]
impl Shared {
    fn value(&self, x: f64) -> f64 {
        let mut sum = self.gain * self.inner.k * x + self.inner.twice();
        for t in &self.inner.table {
            sum += t * x * self.own.k;
        }
        sum * self.other.table[self.other.n]
    }
}

#[differentiable]
fn through_pointers(x: &[f64], s: &Shared) -> f64 {
    s.value(x[0]) * x[1] + s.inner.k * x[0] * s.gain
}

#[test]
fn behind_pointers() {
    let shared = Shared {
        gain: 0.7,
        inner: Rc::new(inner()),
        other: Arc::new(inner()),
        own: Box::new(inner()),
    };
    scalar!(through_pointers::AD.fix_s(&shared), |x| through_pointers(
        x, &shared
    ))
    .row(430)
    .check(&POINTS);
}

#[derive(Differentiable)]
pub struct Probe {
    pub gain: f64,
    #[constant]
    pub inner: Inner,
}

#[differentiable]
impl Probe {
    fn copied(&self, x: f64) -> f64 {
        let table = self.inner.table.clone();
        let mut sum = 0.0;
        for t in &table {
            sum += t * x;
        }
        sum * self.gain
    }
    fn ends(&self, x: f64) -> f64 {
        let last = self.inner.table.last().unwrap();
        match self.inner.table.first() {
            Some(first) => first * x * x + last * x * self.gain,
            None => x,
        }
    }
    fn element(&self, x: f64, i: usize) -> f64 {
        match self.inner.table.get(i) {
            Some(t) => t * x * self.gain,
            None => x,
        }
    }
}

#[differentiable]
fn of_lists_within(x: &[f64], p: &Probe) -> f64 {
    p.copied(x[0]) * p.ends(x[1]) + p.element(x[0] * x[1], 1) * p.element(x[0], 7)
}

#[test]
fn methods_of_lists() {
    let probe = Probe {
        gain: 0.7,
        inner: inner(),
    };
    scalar!(of_lists_within::AD.fix_p(&probe), |x| of_lists_within(
        x, &probe
    ))
    .row(431)
    .takes_memory()
    .check(&POINTS);
}

#[derive(Differentiable, Clone, Copy)]
pub struct Limited {
    pub gain: f64,
    #[constant]
    pub limit: Option<f64>,
    #[constant]
    pub pair: (f64, f64),
    pub between: (usize, usize),
}

#[differentiable]
impl Limited {
    fn value(&self, x: f64) -> f64 {
        let free = self.limit.map_or(x * x, |l| l * x * self.gain);
        free * self.pair.1 + self.between.1 as f64
    }
}

#[differentiable]
fn made(x: &[f64], s: &Limited, #[constant] limit: Option<f64>) -> f64 {
    let first = Limited {
        gain: x[0],
        limit: s.limit,
        pair: s.pair,
        between: s.between,
    };
    let mut last = Limited {
        limit: Some(0.3),
        pair: (0.7, 0.9),
        ..first
    };
    let mut sum = first.value(x[1]) * first.pair.0;
    for k in 0..3 {
        sum += last.value(x[0]) + last.limit.map_or(last.gain, |l| l * last.gain * x[1]);
        last = Limited {
            gain: last.gain * x[1],
            limit,
            pair: (0.2, k as f64),
            between: (0, k),
        };
    }
    sum
}

#[test]
fn made_anew() {
    for limit in [Some(0.3), None] {
        let of = Limited {
            gain: 0.7,
            limit,
            pair: (0.2, 1.3),
            between: (1, 2),
        };
        for limit in [Some(1.3), None] {
            scalar!(made::AD.fix_s(&of).with(limit), |x| made(x, &of, limit))
                .row(429)
                .check(&POINTS);
        }
    }
}
