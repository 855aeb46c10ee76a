//! Functions in the bodies of functions.

#![allow(
    clippy::items_after_statements,
    reason = "what is written plainly is what is looked at"
)]

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 0.9], &[-1.2, 0.4, 0.9, -0.3]];

#[differentiable]
fn with_helpers(x: &[f64]) -> f64 {
    const HALF: f64 = 0.5;
    fn square(t: f64) -> f64 {
        t * t * HALF
    }
    fn norm(v: &[f64]) -> f64 {
        let mut s = 0.0;
        for t in v {
            s += square(*t);
        }
        s.sqrt()
    }
    fn power(t: f64, n: usize) -> f64 {
        if n == 0 { 1.0 } else { t * power(t, n - 1) }
    }
    fn scale(v: &mut [f64], k: f64) {
        for t in v.iter_mut() {
            *t *= k;
        }
    }
    let mut y = x.to_vec();
    let k = power(x[1], 3);
    scale(&mut y[1..], k + norm(x));
    norm(&y) * square(y[0]) + HALF * y[2]
}

#[differentiable]
fn square(t: f64) -> f64 {
    t * t * t
}

#[differentiable]
fn shadowing(x: &[f64]) -> f64 {
    let outer = square(x[0]);
    #[differentiable]
    fn square(t: f64) -> f64 {
        t.sin()
    }
    outer * square(x[1]) + x.iter().map(|v| square(*v)).sum::<f64>()
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Pair {
    a: f64,
    b: f64,
}

#[differentiable]
impl Pair {
    fn weigh(&self, x: f64) -> f64 {
        fn bump(p: &Pair, x: f64) -> f64 {
            p.a * (x * p.b).exp()
        }
        let a: f64 = self.a;
        bump(self, x) + bump(&Pair { b: x, ..*self }, a)
    }
}

#[differentiable]
fn in_methods(x: &[f64]) -> f64 {
    let p = Pair { a: x[0], b: x[1] };
    p.weigh(x[2]) * x[3]
}

#[test]
fn functions_of_the_body() {
    scalar!(with_helpers).row(140).check(&POINTS);
    scalar!(shadowing).row(140).check(&POINTS);
    scalar!(in_methods).row(140).check(&POINTS);
}

#[differentiable]
fn by_value(x: &[f64]) -> f64 {
    let a: Vec<Vec<f64>> = x.chunks(2).map(|c| c.to_vec()).collect();
    let mut s = 1.0;
    for mut row in a {
        row.push(s);
        row[0] *= row[1];
        s = row[0] + row[2] * 0.5;
    }
    s
}

#[test]
fn rows_by_value() {
    scalar!(by_value).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn patterns(x: &[f64]) -> f64 {
    let mut a: Vec<Vec<f64>> = x.chunks(2).map(|c| c.to_vec()).collect();
    let mut s = 0.0;
    if let [first, .., last] = &a[..] {
        s += first[0] * last[1];
    }
    if let [u, v, w] = &mut a[..] {
        u[0] = v[1] * w[0];
        w[1] += u[0];
    }
    match a.first() {
        Some(r) if r.len() == 2 => s += r[0] * r[1],
        _ => s -= 1.0,
    }
    if let Some(r) = a.get(2) {
        s *= r[1];
    }
    if let Some(r) = a.get_mut(1) {
        r[0] *= x[5];
    }
    let (l, r) = a.split_at(1);
    s + l[0][0] * r[1][1] + r[0][0]
}

#[test]
fn rows_in_patterns() {
    scalar!(patterns).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn closures(x: &[f64]) -> f64 {
    let mut a = vec![vec![x[0]; 2], x.to_vec()];
    let at = |i: usize, j: usize| a[i][j] * x[j];
    let s = at(0, 1) + at(1, 3);
    let mut add = |i: usize, v: f64| a[i].push(v * v);
    add(0, x[2]);
    add(0, x[3] * s);
    add(1, s);
    let k = if x[0] > 0.0 { &a[0] } else { &a[1] };
    let t = k[k.len() - 1] * k[0];
    t + a[0].iter().zip(&a[1]).map(|(u, v)| u * v).sum::<f64>() + s
}

#[test]
fn rows_in_closures() {
    scalar!(closures).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn loops(x: &[f64]) -> f64 {
    let mut total = 0.0;
    let mut state: Vec<Vec<f64>> = vec![vec![0.1; 3]; 2];
    for t in 0..4 {
        let mut next = vec![vec![0.0; 3]; 2];
        for i in 0..2 {
            for j in 0..3 {
                next[i][j] = (state[i][j] + x[t] * state[1 - i][2 - j]).sin() + x[i + j];
            }
        }
        if t == 2 {
            next.swap(0, 1);
            continue;
        }
        std::mem::swap(&mut state, &mut next);
        total += next[0][1] * state[1][2];
        if total > 50.0 {
            break;
        }
    }
    for _ in 0..2 {
        state = state
            .iter()
            .map(|r| r.iter().map(|v| v * v).collect())
            .collect();
        state.push(vec![total; 2]);
    }
    total + state[0][1] + state[state.len() - 1][0] * state[1][1]
}

#[test]
fn states_of_a_time_loop() {
    scalar!(loops).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn checkpointed(x: &[f64]) -> f64 {
    let mut state: Vec<Vec<f64>> = vec![vec![0.1; 3]; 2];
    #[ad(checkpoint)]
    for t in 0..6 {
        for i in 0..2 {
            for j in 0..3 {
                state[i][j] = (state[i][j] + x[t] * state[1 - i][2 - j]).sin();
            }
        }
    }
    state[0][0] * state[1][2]
}

#[test]
fn rows_in_a_loop_that_is_not_recorded() {
    scalar!(checkpointed).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn build(x: &[f64], n: usize) -> Vec<Vec<f64>> {
    let mut a = vec![];
    if n == 0 {
        return a;
    }
    for i in 0..n {
        let mut r = Vec::with_capacity(2);
        r.push(x[i]);
        if x[i] > 0.0 {
            r.push(x[i] * x[0]);
        }
        a.push(r);
        if x[i] > 1.4 {
            return a;
        }
    }
    let mut more: Vec<Vec<f64>> = build(&x[1..], n - 1);
    a.append(&mut more);
    a.sort_by(|p, q| p[0].total_cmp(&q[0]));
    a
}

#[differentiable]
fn recursive(x: &[f64]) -> f64 {
    let a: Vec<Vec<f64>> = build(x, 3);
    let e: Vec<Vec<f64>> = build(x, 0);
    let mut s = e.len() as f64;
    for (i, r) in a.iter().enumerate() {
        for v in r {
            s += v.sin() * (i as f64 + 1.0);
        }
    }
    s * a[a.len() - 1][0]
}

#[test]
fn rows_of_functions_that_call_themselves() {
    scalar!(recursive).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn two(a: &mut [Vec<f64>], b: &[Vec<f64>], c: &mut [f64]) {
    for (r, s) in a.iter_mut().zip(b) {
        for (v, w) in r.iter_mut().zip(s) {
            *v = *v * w + c[0];
        }
        c[0] += r[0] * s[0];
    }
}

#[differentiable]
fn shared(x: &[f64], y: &mut [f64]) {
    let mut a = vec![x[..3].to_vec(), x[3..].to_vec(), vec![x[0]; 2]];
    a[0].push(x[5]);
    let b = a.clone();
    two(&mut a, &b, y);
    let (top, rest) = a.split_at_mut(1);
    two(rest, &b[1..], y);
    y[0] += top[0][0] * rest[0][2] * rest[1][1] * top[0][3];
}

#[test]
fn rows_lent_by_both_kinds_of_reference() {
    inplace!(shared, 1).row(163).step(0.01).check(&POINTS);
}
