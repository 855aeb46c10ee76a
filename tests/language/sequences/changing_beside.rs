//! Collections that change beside what is differentiated, in the same statements.

use di::prelude::*;
use di_test::scalar;
use std::collections::HashSet;

const POINTS: [&[f64]; 2] = [&[0.7], &[-1.3]];
const DATA: [f64; 3] = [0.3, -0.8, 1.4];

#[differentiable]
fn added(z: &[f64], #[constant] d: &[f64]) -> f64 {
    let x = z[0] * z[0];
    let mut sum = 1.0;
    let s = &mut sum;
    let mut log = String::new();
    for v in d {
        log += "step";
        *s += v * x;
    }
    sum * log.len() as f64
}

#[differentiable]
fn in_a_pair(z: &[f64], #[constant] d: &[f64]) -> f64 {
    let x = z[0] * z[0];
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
fn by_a_closure(z: &[f64], #[constant] d: &[f64]) -> f64 {
    let x = z[0] * z[0];
    let mut s = 1.0;
    let mut add = |v: f64| s += v * x;
    let mut log = String::new();
    for v in d {
        log += "step";
        add(*v);
    }
    s
}

#[derive(Differentiable)]
struct Sum<'a> {
    of: &'a mut f64,
}

#[differentiable]
fn in_a_struct(z: &[f64], #[constant] d: &[f64]) -> f64 {
    let x = z[0] * z[0];
    let mut s = 1.0;
    let sum = Sum { of: &mut s };
    let mut log = String::new();
    for v in d {
        log += "step";
        *sum.of += v * x;
    }
    s
}

#[derive(Differentiable)]
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
fn by_a_method(z: &[f64], #[constant] d: &[f64]) -> f64 {
    let x = z[0] * z[0];
    let mut m = Model { x, s: 1.0 };
    m.run(d);
    m.s
}

macro_rules! check {
    ($($f:ident)*) => {$(
        scalar!($f::AD.with(&DATA), |x: &[f64]| $f(x, &DATA)).row(498).takes_memory().check(&POINTS);
    )*};
}

#[test]
fn both_change() {
    check!(added in_a_pair by_a_closure in_a_struct by_a_method);
}
