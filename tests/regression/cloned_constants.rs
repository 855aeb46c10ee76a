//! `cloned()` in chains over constants left a `Clone` out that is written by hand and is no copy.

#![allow(
    clippy::unwrap_used,
    clippy::iter_overeager_cloned,
    clippy::double_ended_iterator_last,
    clippy::redundant_iter_cloned,
    reason = "what is cloned is another value"
)]

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.2, 2.1], &[0.7, 0.4]];

#[derive(Debug)]
struct Step {
    n: usize,
    w: f64,
}

impl Clone for Step {
    fn clone(&self) -> Step {
        Step {
            n: self.n + 1,
            w: self.w * 0.5,
        }
    }
}

#[differentiable]
fn power(a: f64, k: &Step) -> f64 {
    a.powi(k.n as i32) * k.w
}

#[differentiable]
fn last(x: &[f64]) -> f64 {
    let v = [Step { n: 1, w: 2.0 }, Step { n: 2, w: 3.0 }];
    let b = v.iter().cloned().last().unwrap();
    power(x[1], &b) + x[0]
}

#[differentiable]
fn summed(x: &[f64]) -> f64 {
    let v = [Step { n: 1, w: 2.0 }, Step { n: 2, w: 3.0 }];
    let mut s = v.iter().cloned().map(|k| power(x[0], &k)).sum::<f64>();
    for k in v.iter().cloned() {
        s += x[1].sin() * k.n as f64;
    }
    s
}

#[test]
fn they_are_cloned() {
    scalar!(last).check(&POINTS);
    scalar!(summed).check(&POINTS);
}
