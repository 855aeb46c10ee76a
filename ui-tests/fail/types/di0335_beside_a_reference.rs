#![allow(warnings)]

use di::differentiable;
use std::collections::HashSet;

#[differentiable]
fn added(x: f64, #[constant] d: &[f64], s: &mut f64) {
    let mut log = String::new();
    for v in d {
        log += "step";
        *s += v * x;
    }
}

#[differentiable]
fn in_a_pair(x: f64, #[constant] d: &[f64]) -> f64 {
    let (mut s, mut t) = (1.0, 2.0);
    let both = (&mut s, &mut t);
    let mut seen = HashSet::new();
    for (i, v) in d.iter().enumerate() {
        if seen.insert(i) {
            *both.0 += v * x;
            *both.1 *= x;
        }
    }
    s * t
}

#[differentiable]
fn by_a_closure(x: f64, #[constant] d: &[f64]) -> f64 {
    let mut s = 1.0;
    let mut add = |v: f64| s += v * x;
    let mut log = String::new();
    for v in d {
        log += "step";
        add(*v);
    }
    s
}

#[derive(di::Differentiable)]
struct Sum<'a> {
    of: &'a mut f64,
}

#[differentiable]
fn in_a_struct(x: f64, #[constant] d: &[f64]) -> f64 {
    let mut s = 1.0;
    let sum = Sum { of: &mut s };
    let mut log = String::new();
    for v in d {
        log += "step";
        *sum.of += v * x;
    }
    s
}

#[derive(di::Differentiable)]
struct Model {
    x: f64,
    s: f64,
}

#[differentiable]
impl Model {
    fn run(&mut self, d: &[f64]) -> &mut Self {
        let mut log = String::new();
        for v in d {
            log += "step";
            self.s += v * self.x;
        }
        self
    }
}

#[differentiable]
fn by_a_method(x: f64, #[constant] d: &[f64]) -> f64 {
    let mut m = Model { x, s: 1.0 };
    m.run(d);
    m.s
}

fn main() {}
