//! A vector that moved out of a field of a struct was still the field: what was assigned there later was read in its place.

#![allow(clippy::manual_swap, reason = "the moves are under test")]

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, -0.4, 0.9]];

#[derive(Clone, Debug, Differentiable)]
struct State {
    t: f64,
    v: Vec<f64>,
    w: Vec<f64>,
}

#[differentiable]
fn replaced(x: &[f64]) -> f64 {
    let mut s = State {
        t: x[1],
        v: x.to_vec(),
        w: vec![x[0]; 3],
    };
    let v = s.v;
    s.v = vec![x[0] * x[0]; 3];
    s.v[2] = 5.0;
    v[2] * x[2] * 100.0 + s.v[0] + s.t * s.w[1]
}

#[differentiable]
fn exchanged(x: &[f64]) -> f64 {
    let mut s = State {
        t: x[1],
        v: x.to_vec(),
        w: vec![x[0] * x[1], x[2], 3.0],
    };
    for k in 0..3 {
        let old = s.v;
        s.v = s.w;
        s.w = old;
        s.v[k] *= x[1];
    }
    (s.v, s.w) = (s.w, s.v);
    s.v[0] * s.v[1] + s.w[0] * s.w[2] * s.t
}

#[differentiable]
fn taken_apart(x: &[f64]) -> f64 {
    let mut s = State {
        t: x[1],
        v: x.to_vec(),
        w: vec![x[0]; 3],
    };
    let State { v, t, .. } = s;
    s.v = vec![x[2] * x[2]; 2];
    let (w, u) = (s.w, 2.0 * t);
    s.w = vec![x[1]];
    let pair = (s.v, x[0]);
    s.v = vec![7.0 * x[1]];
    v[0] * v[1] * u + w[2] * s.w[0] + pair.0[1] * pair.1 * s.v[0]
}

#[differentiable]
fn held(x: &[f64]) -> f64 {
    let mut s = State {
        t: x[1],
        v: x.to_vec(),
        w: vec![x[0]; 3],
    };
    let some = Some(s.v);
    s.v = vec![x[2] * x[2]; 2];
    match some {
        Some(v) => v[1] * v[2] * s.v[0] * s.t,
        None => s.v[1] * s.w[0],
    }
}

#[differentiable]
fn stepped(mut s: State, by: f64) -> State {
    let old = s.v;
    s.v = old.iter().map(|a| a * by + a * a).collect();
    s.t += old[0] * s.v[1];
    s
}

#[differentiable]
fn iterated(x: &[f64]) -> f64 {
    let mut s = State {
        t: 0.0,
        v: x.to_vec(),
        w: vec![],
    };
    let mut moved = 0.0;
    for k in 0..3 {
        let before = s.v.clone();
        s = stepped(s, 0.3 * (k + 1) as f64);
        let old = before;
        moved += old
            .iter()
            .zip(&s.v)
            .map(|(a, b)| (a - b).powi(2))
            .sum::<f64>();
        let last = s.v;
        s.v = last.iter().map(|a| a * 0.5).collect();
        moved += last[0] * s.v[0];
    }
    moved * s.t
}

#[test]
fn vectors_that_move_out_of_fields() {
    scalar!(replaced).takes_memory().check(&POINTS);
    scalar!(exchanged).takes_memory().check(&POINTS);
    scalar!(taken_apart).takes_memory().check(&POINTS);
    scalar!(held).takes_memory().check(&POINTS);
    scalar!(iterated).takes_memory().check(&POINTS);
}
