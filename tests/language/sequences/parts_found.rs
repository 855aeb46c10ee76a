//! Parts by ranges that may be outside: `x.get(a..b)` and `get_mut`.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.4, 0.7, 0.55], &[0.9, 0.3, 0.61, 0.45, 1.2]];

#[derive(Clone, Debug, Differentiable)]
struct Load {
    mass: f64,
    pull: f64,
}

#[differentiable]
fn read(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for k in 0..4 {
        if let Some(part) = x.get(k..k + 2) {
            s += part[0] * part[1];
        }
        if let Some(part) = x.get(k..) {
            s += part.iter().sum::<f64>() * k as f64;
        }
        if let Some(part) = x.get(..k) {
            s += part.iter().product::<f64>();
        }
        if let Some(part) = x.get(k..=k + 1) {
            s += part[1].sin();
        }
        s += x.get(k + 1..k).map_or(0.5, |p| p.iter().sum::<f64>());
        if let Some([a, b]) = x.get(k..k + 2) {
            s += a * a * b;
        }
    }
    s + x.get(1..3).unwrap()[1].powi(3) + x.get(..2).expect("two").iter().sum::<f64>()
}

#[differentiable]
fn changed(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut rows: Vec<Vec<f64>> = vec![];
    let mut all: Vec<Load> = vec![];
    let mut s = 0.0;
    for k in 0..3 {
        if let Some(part) = v.get_mut(k..k + 2) {
            part[0] *= part[1];
            part[1] += x[0];
        }
        v.get_mut(..2).unwrap()[0] += x[1];
        if let Some(r) = rows.get(1..) {
            for row in r {
                s += row[0] * row[1];
            }
        }
        if let Some(p) = all.get(0..2) {
            s += p[1].mass * p[0].pull;
        }
        if let Some(p) = all.get_mut(1..) {
            for q in p.iter_mut() {
                q.mass += x[1];
            }
        }
        rows.push(vec![x[0] * k as f64, x[1]]);
        all.push(Load {
            mass: x[0],
            pull: x[1] * k as f64,
        });
    }
    s + v.iter().map(|a| a * a).sum::<f64>()
}

#[differentiable]
fn constants(x: &[f64], t: &[usize], #[constant] d: &[f64]) -> f64 {
    let mut s = 0.0;
    for k in 0..t.len() {
        if let Some(p) = t.get(k..k + 2) {
            s += x[p[0]] * x[p[1]];
        }
        if let Some(p) = d.get(k..k + 2) {
            s += x[0] * p[0] + x[1] * x[1] * p[1];
        }
    }
    s
}

#[test]
fn parts_that_may_be_outside() {
    scalar!(read).row(954).check(&POINTS);
    scalar!(changed).row(954).check(&POINTS);
    let (t, d) = ([0, 1, 1], [0.5, 0.2]);
    scalar!(constants::AD.with(&t, &d), |x: &[f64]| constants(x, &t, &d))
        .row(954)
        .check(&POINTS);
}
