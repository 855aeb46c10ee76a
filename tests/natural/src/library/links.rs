//! Links of generalised linear models, and filters that keep their state.

use super::weights::huber;
use di::prelude::*;
use std::f64::consts::PI;

pub trait Link {
    fn inverse(&self, eta: f64) -> f64;
}

#[derive(Clone, Copy, Debug)]
pub struct Log;

#[derive(Clone, Copy, Debug)]
pub struct Power {
    pub exponent: i32,
}

#[derive(Clone, Copy, Debug)]
pub struct Cloglog(pub f64);

#[differentiable]
impl Link for Log {
    fn inverse(&self, eta: f64) -> f64 {
        eta.exp()
    }
}

#[differentiable]
impl Link for Power {
    fn inverse(&self, eta: f64) -> f64 {
        eta.powi(self.exponent)
    }
}

#[differentiable]
impl Link for Cloglog {
    fn inverse(&self, eta: f64) -> f64 {
        1.0 - (-(self.0 * eta).exp()).exp()
    }
}

const RIDGE: f64 = 0.03;

#[differentiable]
fn season(beta: &[f64], t: f64) -> f64 {
    beta[0] + beta[1] * (2.0 * PI * t).sin()
}

fn column(i: usize) -> usize {
    i + 1
}

#[differentiable]
pub fn loss<L: Link>(beta: &[f64], data: &[(f64, f64)], link: &L) -> f64 {
    let mut total = RIDGE * beta[column(0)].powi(2);
    for (t, y) in data {
        total += huber(link.inverse(season(beta, *t)) - y);
    }
    total
}

/// What a filter remembers.
#[derive(Clone, Copy, Debug, Default, Differentiable)]
pub struct Delay {
    s1: f64,
    s2: f64,
}

#[differentiable]
impl Delay {
    pub fn smooth(&mut self, a: f64, x: f64) -> f64 {
        let y = a * x + self.s1;
        self.s1 = (1.0 - a) * y + self.s2;
        self.s2 = 0.1 * x;
        y
    }
}
