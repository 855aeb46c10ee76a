//! Vectors that lose elements, boxes, options that change.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 2.0, 0.3], &[-1.2, 0.4, 0.9, -0.3, 1.5]];

#[differentiable]
fn drained(x: &[f64]) -> f64 {
    let mut v = Vec::from(x);
    let mut w = Vec::from([x[0] * x[1], x[2].sin(), 1.0]);
    for a in v.iter_mut() {
        *a *= a.cos();
    }
    let k = if x[0] > 0.0 { 1 } else { 2 };
    let mut s = 0.0;
    for (i, a) in v.drain(k..k + 2).enumerate() {
        s += a * (i as f64 + 1.0);
    }
    let head: Vec<f64> = w.drain(..=1).map(|a| a * a).collect();
    s += head[0] * head[1] + w[0];
    w.drain(..);
    w.push(x[4]);
    s * v[0] * v[v.len() - 1] + v.len() as f64 * w[0]
}

#[test]
fn elements_drained() {
    scalar!(drained).row(36).row(38).step(0.01).check(&POINTS);
}

#[differentiable]
fn retained(x: &[f64]) -> f64 {
    let mut v: Vec<f64> = x.iter().map(|a| a * a).collect();
    v.push(v[0]);
    v.push(v[5]);
    v.push(x[1]);
    v.dedup();
    let limit = x[3] * 0.5;
    v.retain(|a| *a > limit);
    let mut indices: Vec<usize> = vec![1, 1, 0, 3, 3, 2];
    indices.dedup();
    indices.retain(|&i| x[i] < 1.0);
    let mut s = 0.0;
    for (i, a) in v.iter().enumerate() {
        s += a.sin() * (i as f64 + 1.0);
    }
    for i in indices {
        s *= 1.0 + x[i] * x[i];
    }
    s
}

#[differentiable]
fn repeated(x: &[f64]) -> f64 {
    let mut v: Vec<f64> = x.iter().map(|a| a * a).collect();
    let k = if x[0] > 0.0 { 1 } else { 2 };
    v.extend_from_slice(&x[..2]);
    v.extend_from_within(k..k + 2);
    v.extend_from_within(..1);
    let mut s = 0.0;
    for (i, a) in v.iter().enumerate() {
        s += a.sin() * (i as f64 + 1.0);
    }
    s
}

#[test]
fn elements_of_a_vector_repeated() {
    scalar!(repeated).row(39).step(0.01).check(&POINTS);
}

#[test]
fn elements_retained_and_repeated() {
    scalar!(retained).row(38).step(0.01).check(&POINTS);
}

#[differentiable]
fn rows_that_stay(x: &[f64]) -> f64 {
    let mut rows: Vec<Vec<f64>> = x.iter().map(|a| vec![*a, a * a]).collect();
    rows.retain(|r| r[0] > 0.0);
    rows[0][1] *= x[2];
    let out: Vec<Vec<f64>> = rows.drain(..1).collect();
    let mut points: Vec<[f64; 2]> = x.iter().map(|a| [*a, a.sin()]).collect();
    points.retain(|p| p[1] < 0.9);
    points.drain(1..2);
    out[0][1] * rows[0][1] + rows[0][0] * points[0][0] * points[1][1] + rows.len() as f64 * x[1]
}

#[test]
fn rows_drained_and_retained() {
    scalar!(rows_that_stay)
        .row(38)
        .row(163)
        .step(0.01)
        .check(&POINTS);
}

#[differentiable]
fn boxed(x: &[f64]) -> f64 {
    let mut b = Box::new(x[0] * x[1]);
    *b += x[2];
    let c: Box<f64> = Box::new(b.sin());
    let mut v: Box<[f64]> = x.to_vec().into_boxed_slice();
    v[0] *= *b;
    let m = Box::new([x[3], x[4]]);
    let w = v.into_vec();
    w[0] * *c + m[0] * m[1] * *b
}

#[test]
fn boxes_are_values() {
    scalar!(boxed).row(127).step(0.01).check(&POINTS);
}

#[differentiable]
fn optional(x: &[f64]) -> f64 {
    let mut last: Option<f64> = None;
    let mut s = 0.0;
    for v in x {
        if let Some(old) = last.replace(v * v) {
            s += old * v;
        }
        if *v > 1.0 {
            s += last.take().unwrap_or(0.0).sin();
        }
    }
    let mut cache = Some(x[0] * x[1]);
    let a = cache.take().unwrap();
    let b = if cache.is_none() { x[2] } else { a };
    let c = cache.replace(x[3].sin()).unwrap_or(x[4]);
    let mut pair: Option<[f64; 2]> = Some([x[0], x[1]]);
    let old = pair.replace([x[2], c * x[3]]).unwrap();
    let c = c * old[1] + pair.take().unwrap()[1];
    s + a * b * cache.unwrap() + last.unwrap_or(x[0]) * c
}

#[test]
fn options_taken_and_replaced() {
    scalar!(optional).row(94).step(0.01).check(&POINTS);
}

#[derive(Debug, PartialEq)]
enum Failure {
    Small(u8),
}

impl From<u8> for Failure {
    fn from(code: u8) -> Self {
        Failure::Small(code)
    }
}

#[differentiable]
fn root(x: f64) -> Result<f64, u8> {
    if x < -0.5 {
        return Err(7);
    }
    Ok((x + 1.0).sqrt())
}

#[differentiable]
fn roots(x: &[f64]) -> Result<f64, Failure> {
    let mut s = 0.0;
    for v in x {
        let r: Result<f64, u8> = root(*v);
        s += r? * v;
    }
    Ok(s)
}

#[differentiable]
fn wider(x: &[f64]) -> Result<f64, u32> {
    let r: Result<f64, u8> = root(x[0] * x[0]);
    Ok(r? * x[1])
}

#[differentiable]
fn questions(x: &[f64]) -> f64 {
    let pair = |v: &[f64], k: usize| -> Option<f64> {
        let a = v.get(k)?;
        let b = v.get(k + 1)?;
        Some(a * b)
    };
    let second = Some(x[0]).and_then(|a| {
        let b = x.get(1)?;
        Some(a * b.sin())
    });
    let all: Result<f64, Failure> = roots(x);
    let w: Result<f64, u32> = wider(x);
    let (n, lost) = x.len().overflowing_sub(6);
    let (m, over) = 250u8.overflowing_add(x.len() as u8 - 2);
    let k = if lost && n > 5 { 2.0 } else { 3.0 };
    let l = if over { 1.0 } else { m as f64 };
    second.unwrap_or(0.0)
        + pair(x, 0).unwrap_or(0.0)
        + pair(x, 4).unwrap_or(x[2] * k)
        + l * all.unwrap_or(x[0] * x[1]) * w.unwrap_or(1.0)
}

#[test]
fn question_marks_in_closures_and_between_errors() {
    scalar!(questions).row(78).row(96).step(0.01).check(&POINTS);
}
