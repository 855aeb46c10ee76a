//! What a closure makes of constants was made once for all of its calls outside of loops: `f(0) * f(1)` read the list of the
//! first call twice. Effects of constant code were lost where nothing names the result, and a text that reads a text, or
//! one that changes, did not compile.

#![expect(clippy::let_unit_value, reason = "effects have no name here")]

use di::prelude::*;
use di_test::scalar;
use ndarray::{Array1, Array2, array};
use std::cell::RefCell;

const POINTS: [&[f64]; 2] = [&[1.1, 0.7], &[-0.6, 1.9]];

struct Data {
    rows: Array2<f64>,
    lists: Vec<Vec<f64>>,
}

fn data() -> Data {
    Data {
        rows: array![[1.0, 2.0], [-0.5, 0.25]],
        lists: vec![vec![1.0, 2.0], vec![3.0, 0.5]],
    }
}

impl Data {
    fn list(&self, k: usize) -> Vec<f64> {
        self.lists[k].clone()
    }
}

#[differentiable]
fn kept(x: &[f64], #[constant] d: &Data) -> f64 {
    let f = |k: usize| {
        let v = d.list(k);
        v[0] * x[0] + v[1]
    };
    f(0) * f(1)
}

#[differentiable]
fn iterated(x: &[f64], #[constant] d: &Data) -> f64 {
    let f = |k: usize| {
        let mut s = 1.0;
        for v in &d.list(k) {
            s = s * v + x[0];
        }
        for v in d.list(k) {
            s += v * x[1];
        }
        s
    };
    f(0) * f(1)
}

#[differentiable]
fn rows(x: &[f64], #[constant] d: &Data) -> f64 {
    let e = Array1::from_vec(x.to_vec());
    let f = |k: usize| d.rows.row(k).dot(&e);
    f(0) * f(1)
}

#[test]
fn each_call_of_a_closure_makes_its_own_constants() {
    let d = data();
    scalar!(kept::AD.with(&d), |x| kept(x, &d))
        .takes_memory()
        .check(&POINTS);
    scalar!(iterated::AD.with(&d), |x| iterated(x, &d))
        .takes_memory()
        .check(&POINTS);
    scalar!(rows::AD.with(&d), |x| rows(x, &d)).check(&POINTS);
}

struct Journal {
    lines: RefCell<Vec<f64>>,
}

impl Journal {
    fn note(&self, k: usize, weight: f64) {
        self.lines.borrow_mut().push(k as f64 + weight);
    }

    fn total(&self) -> f64 {
        self.lines.borrow().iter().sum()
    }
}

#[differentiable]
fn noted(x: &[f64], journal: &Journal) -> f64 {
    journal.lines.borrow_mut().clear();
    let _ = journal.note(2, 0.5);
    let s = x[0] * journal.total();
    let c = |k: usize| journal.note(k, 1.0);
    c(1);
    let s = s * x[1] * journal.total();
    c(2);
    s * journal.total()
}

#[test]
fn effects_without_a_name() {
    let journal = Journal {
        lines: RefCell::default(),
    };
    scalar!(noted::AD.with(&journal), |x| noted(x, &journal))
        .prints()
        .check(&POINTS);
}

#[differentiable]
fn texts(x: &[f64]) -> f64 {
    let k = 12;
    let a = format!("{k}{k}");
    let b = format!("{a}{k}");
    let mut t = format!("{a:>w$}", w = a.len() + 2);
    let mut s = x[0] * b.len() as f64;
    for i in 0..3 {
        t = format!("{t}{i}");
        s *= t.len() as f64 * x[1];
    }
    s
}

#[test]
fn texts_of_texts() {
    scalar!(texts).takes_memory().check(&POINTS);
}
