//! Folds that end early or go backwards, and arrays of references.

use di::prelude::*;
use di_test::scalar;
use std::ops::ControlFlow;

const POINTS: [&[f64]; 3] = [&[0.3, 0.7], &[1.3, 0.2], &[2.5, 1.4]];

#[differentiable]
fn ended(x: &[f64]) -> f64 {
    let r = x.iter().try_fold(0.0, |a, f| {
        let a = a + f * f;
        if a > 5.0 {
            ControlFlow::Break(a)
        } else {
            ControlFlow::Continue(a)
        }
    });
    match r {
        ControlFlow::Break(p) | ControlFlow::Continue(p) => p,
    }
}

#[differentiable]
fn stopped(x: &[f64]) -> f64 {
    let mut s = 0.0;
    let end = (0..10).try_for_each(|k| {
        s += x[0] * k as f64;
        if s > 2.0 {
            return ControlFlow::Break(k);
        }
        ControlFlow::Continue(())
    });
    let e: ControlFlow<f64, f64> = x.iter().try_fold(1.0, |a, v| {
        if a * v > 0.1 {
            ControlFlow::Continue(a * v)
        } else {
            ControlFlow::Break(a)
        }
    });
    let w = if e.is_break() { 2.0 } else { 3.0 };
    let t = match e {
        ControlFlow::Continue(c) => c * x[1],
        ControlFlow::Break(b) => b * x[0],
    };
    let k = if let ControlFlow::Break(k) = end {
        k
    } else {
        0
    };
    s * k as f64 + t * w
}

#[differentiable]
fn backwards(x: &[f64]) -> f64 {
    let v: Vec<f64> = x.iter().map(|x| x * x).collect();
    let s = v.iter().rfold(x[0], |s, v| s * 0.5 + v.sin());
    let t = v.iter().zip(x).rfold(s, |s, (w, x)| s * x + w);
    let it = v.iter().map(|v| v * 2.0);
    t + it.rfold(1.0, |s, w| s * x[1] + w) + (0..3).rfold(0.0, |s, k| s * x[0] + k as f64)
}

#[differentiable]
fn logarithm(v: f64) -> Option<f64> {
    if v > 0.0 { Some(v.ln()) } else { None }
}

#[differentiable]
fn total(x: &[f64]) -> Option<f64> {
    x.iter().map(|v| logarithm(*v)).sum()
}

#[differentiable]
fn sums(x: &[f64]) -> f64 {
    let s: Option<f64> = x
        .iter()
        .map(|v| if *v > 0.0 { Some(v.ln()) } else { None })
        .sum();
    let p = x
        .iter()
        .map(|v| logarithm(*v))
        .product::<Option<f64>>()
        .unwrap_or(1.0);
    let r: Result<f64, String> = x
        .iter()
        .map(|v| {
            if *v > 0.0 {
                Ok(v.sqrt())
            } else {
                Err(format!("bad {v}"))
            }
        })
        .sum();
    let t: f64 = x
        .iter()
        .map(|v| logarithm(*v))
        .sum::<Option<f64>>()
        .map_or(0.0, |s| s * s);
    s.unwrap_or(0.0) + p * r.unwrap() + t + total(x).unwrap_or(2.0)
}

#[differentiable]
fn borrowed(x: &[f64]) -> f64 {
    let a = [[x[0], 1.0], [x[1], x[0]]];
    let [u, v] = a.each_ref().map(|row| row[0] * row[1]);
    let b = [x[0], x[1]];
    let [p, q] = b.each_ref();
    let c = b.each_ref().map(|v| *v * 2.0);
    let mut s = 0.0;
    for r in a.each_ref() {
        s += r[0];
    }
    u * v + *p * *q + c[0] * c[1] * s
}

#[test]
fn folds_that_end() {
    scalar!(ended).row(855).check(&POINTS);
    scalar!(stopped).row(855).check(&POINTS);
}

#[test]
fn folds_from_the_back() {
    scalar!(backwards).row(854).check(&POINTS);
}

#[test]
fn sums_of_options() {
    scalar!(sums).row(857).check(&POINTS);
}

#[test]
fn arrays_of_references() {
    scalar!(borrowed).row(856).check(&POINTS);
}
