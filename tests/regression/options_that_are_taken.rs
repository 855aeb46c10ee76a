//! A constant option in a variable that changes, `let mut limit = o; let t = limit.take();`: it was read as often as its
//! parts were wanted, so that a call found what the one before it had left.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.3, 0.9]];

#[differentiable]
fn scale(a: f64, limit: Option<f64>) -> f64 {
    a * limit.unwrap_or(a)
}

#[differentiable]
fn taken(x: &[f64], #[constant] o: Option<f64>) -> f64 {
    let mut l = o;
    let t: Option<f64> = l.take();
    let mut sum = t.map_or(x[0], |v| v * x[0]) + l.map_or(x[1], |v| v * x[2]);
    let mut m = o;
    sum *= match m.take() {
        Some(v) => v * x[0],
        None => x[1],
    };
    if m.is_some() { sum } else { sum * x[2] }
}

#[differentiable]
fn replaced(x: &[f64], #[constant] o: Option<f64>) -> f64 {
    let mut l = o;
    let t: Option<f64> = l.replace(0.3);
    t.map_or(x[0], |v| v * x[0]) + l.map_or(x[1], |v| v * x[2])
}

#[differentiable]
fn handed(x: &[f64], #[constant] o: Option<f64>) -> f64 {
    let mut l = o;
    let mut sum = scale(x[0], l.take());
    let both = (l.replace(0.6), l);
    sum *= match both {
        (Some(a), Some(b)) => a * b * x[0],
        (None, Some(b)) => b * x[1],
        _ => x[2] * x[2],
    };
    for v in x {
        sum += scale(*v, l.take());
    }
    sum
}

#[differentiable]
fn chained(x: &[f64], #[constant] o: Option<f64>) -> f64 {
    let mut l = o;
    let t: Option<f64> = l.take().or(Some(0.2));
    let sum = t.map_or(x[0], |v| v * x[0]);
    sum * if l.is_some() { x[2] } else { x[0] }
}

#[differentiable]
fn counted(x: &[f64], #[constant] k: Option<usize>) -> f64 {
    let mut l = k;
    let t: Option<usize> = l.take();
    t.map_or(x[0], |v| x[v] * x[0]) + l.map_or(x[1], |v| x[v] * x[2])
}

#[test]
fn constant_options_are_read_once() {
    for o in [Some(0.4), None] {
        scalar!(taken::AD.with(o), |x| taken(x, o)).check(&POINTS);
        scalar!(replaced::AD.with(o), |x| replaced(x, o)).check(&POINTS);
        scalar!(handed::AD.with(o), |x| handed(x, o)).check(&POINTS);
        scalar!(chained::AD.with(o), |x| chained(x, o)).check(&POINTS);
    }
    for k in [Some(2), None] {
        scalar!(counted::AD.with(k), |x| counted(x, k)).check(&POINTS);
    }
}
