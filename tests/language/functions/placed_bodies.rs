//! Bodies that stand in the place of calls: what they say of constants is known where they stand.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7, 1.3], &[1.4, 0.6], &[0.3, 0.9]];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Gate {
    M,
    N,
}

#[differentiable]
impl Gate {
    fn next(self, x: f64, v: f64) -> f64 {
        match self {
            Gate::M => x * v,
            Gate::N => x + v.sin(),
        }
    }
}

struct Channel {
    gates: Vec<(Gate, i32)>,
    last: Gate,
}

#[differentiable]
fn run(x: &[f64], channels: &[Channel], current: impl Fn(f64) -> f64) -> f64 {
    let mut s = x[0];
    for c in channels {
        for (gate, power) in &c.gates {
            s = gate.next(s, x[1]) * *power as f64 + current(s);
        }
        s = c.last.next(s, x[0]);
    }
    s
}

#[differentiable]
fn shared(x: &[f64], channel: &Channel, current: &dyn Fn(f64) -> f64) -> f64 {
    let mut s = 0.0;
    if let Some((gate, _)) = channel.gates.first() {
        s += gate.next(x[0], x[1]);
    }
    channel.last.next(s, current(x[1]))
}

#[differentiable]
fn twice(x: &[f64], channels: &[Channel], current: impl Fn(f64) -> f64) -> f64 {
    run(x, channels, &current) + run(&[x[1], x[0]], channels, |t| current(t) * 2.0)
}

#[differentiable]
fn gated(x: &[f64], #[constant] channels: &[Channel]) -> f64 {
    run(x, channels, |t| 0.1 * t * x[1])
}

#[differentiable]
fn lent(x: &[f64], #[constant] channels: &[Channel]) -> f64 {
    let mut s = 0.0;
    for c in channels {
        s += shared(x, c, &|t| 0.1 * t * x[1]);
    }
    s + twice(x, channels, |t| t * x[0])
}

#[test]
fn methods_of_constants_in_bodies() {
    let channels = [
        Channel {
            gates: vec![(Gate::M, 3), (Gate::N, 1)],
            last: Gate::N,
        },
        Channel {
            gates: vec![(Gate::N, 2)],
            last: Gate::M,
        },
    ];
    scalar!(gated::AD.with(&channels), |x: &[f64]| gated(x, &channels))
        .row(565)
        .check(&POINTS);
    scalar!(lent::AD.with(&channels), |x: &[f64]| lent(x, &channels))
        .row(565)
        .check(&POINTS);
}

trait Weight {
    fn db(&self, f: f64) -> f64;
}

struct Double;

impl Weight for Double {
    fn db(&self, f: f64) -> f64 {
        2.0 * f
    }
}

#[differentiable]
fn total(levels: impl Iterator<Item = f64>) -> f64 {
    levels.map(|l| l * l).sum()
}

#[differentiable]
fn pairs(x: &[f64]) -> Vec<(u32, f64)> {
    let all = x.iter().enumerate();
    all.map(|(i, v)| (i as u32, v * v)).collect()
}

#[differentiable]
fn weighted<W: Weight>(x: &[f64], #[constant] w: &W, #[constant] k: f64) -> f64 {
    let areas = pairs(x);
    let s: f64 = areas.iter().map(|(n, a)| a * w.db(*n as f64 + 1.0)).sum();
    s + total(areas.iter().map(|(n, a)| k * a.ln() + w.db(*n as f64)))
}

#[test]
fn constants_of_type_parameters_are_given_integers() {
    scalar!(weighted::AD.with(&Double, 3.0), |x: &[f64]| weighted(
        x, &Double, 3.0
    ))
    .row(566)
    .check(&POINTS);
}
