//! `let a = o.as_ref().unwrap();` and `o.clone().unwrap()` took the vector out of `o`, which was empty afterwards.

#![allow(clippy::unwrap_used, reason = "options as users read them")]

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.1, 0.7, 0.4], &[-0.6, 1.9, 0.8]];

#[derive(Clone, Differentiable)]
struct Wing {
    loads: Vec<f64>,
    span: f64,
}

#[differentiable]
fn loads(x: &[f64]) -> Option<Vec<f64>> {
    (!x.is_empty()).then(|| x.to_vec())
}

#[differentiable]
fn wing(x: &[f64]) -> Result<Wing, String> {
    Ok(Wing {
        loads: x.to_vec(),
        span: x[1],
    })
}

#[differentiable]
fn referred(x: &[f64]) -> f64 {
    let o = loads(x);
    let a = o.as_ref().unwrap();
    let b = o.as_deref().unwrap();
    let sum: f64 = a.iter().sum();
    sum * b[1] * o.map_or(0.0, |v| v[0] * v[1])
}

#[differentiable]
fn copied(x: &[f64]) -> f64 {
    let o = loads(x);
    let mut a = o.clone().unwrap();
    a[0] = x[1] * x[2];
    let more = o.clone().unwrap_or_default()[1];
    a[0] * more * o.unwrap()[0]
}

#[differentiable]
fn changed(x: &[f64]) -> f64 {
    let mut o = loads(x);
    {
        let v = o.as_mut().unwrap();
        v[2] = v[0] * 2.0;
        v.push(x[1]);
    }
    let mut n = Some(x[0]);
    let k = n.as_mut().unwrap();
    *k *= 2.0;
    o.map_or(0.0, |v| v[0] * v[3] + v[2]) * n.unwrap()
}

#[differentiable]
fn of_structs(x: &[f64]) -> f64 {
    let mut o = wing(x);
    let c = o.clone().unwrap();
    let w = o.as_mut().unwrap();
    w.span *= 2.0;
    w.loads.push(w.span);
    let r = o.as_ref().unwrap();
    r.loads[3] * r.span * c.span + o.unwrap().loads[0] * c.loads[1]
}

#[test]
fn options_stay_what_they_are() {
    scalar!(referred).check(&POINTS);
    scalar!(copied).check(&POINTS);
    scalar!(changed).check(&POINTS);
    scalar!(of_structs).takes_memory().check(&POINTS);
}
