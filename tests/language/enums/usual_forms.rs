//! Usual forms: orderings in options, assignments to lists of places, statics, options that are filled, numbers that are
//! converted.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [
    &[0.73, 0.31, 0.92],
    &[0.33, 0.64, 1.41],
    &[1.31, 0.83, 0.46],
];

use std::cmp::Ordering;
#[differentiable]
fn order(x: &[f64]) -> f64 {
    let a = match x[0].partial_cmp(&x[1]) {
        Some(Ordering::Less) => x[0] * x[2],
        Some(Ordering::Equal) => 0.0,
        Some(Ordering::Greater) => x[1] * x[1] * x[2],
        None => f64::NAN,
    };
    let b = if let Some(o) = x[1].partial_cmp(&(x[2] * 0.9)) {
        if o == Ordering::Less { x[1] } else { x[2] }
    } else {
        0.0
    };
    let c = if x[0].partial_cmp(&f64::NAN).is_none() {
        x[0] * x[0]
    } else {
        1.0
    };
    let d = match 3usize.partial_cmp(&2) {
        Some(Ordering::Greater) => x[1],
        _ => 0.0,
    };
    a + b * c * d
}
#[differentiable]
fn list(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x[0], x[1]);
    for i in 0..5 {
        [a, b] = [b, a + b * x[2]];
        if i == 3 {
            (b, _) = (b * a, 1);
        }
    }
    let mut v = [a, b];
    [v[1], v[0]] = [v[0] * 2.0, v[1]];
    let mut w = [x[0], x[1], x[2]];
    [w[2], w[0], ..] = w;
    let (mut p, mut q) = (0.0, 1.0);
    (p, [q, _, v[0]]) = (x[1] * p + q, w);
    [p, q] = [q, p];
    let rows = vec![[x[0], x[1]], [x[2], x[1]]];
    let mut r = [x[2]; 2];
    let before = r[1];
    [r, _] = [rows[1], rows[0]];
    v[0] * v[1] + a + p * q * w[0] * w[2] + r[0] * r[1] * before
}
#[differentiable]
fn statics(x: &[f64]) -> f64 {
    const K: f64 = 2.5;
    static W: [f64; 3] = [1.0, -2.0, 0.5];
    let s: f64 = x.iter().zip(W.iter()).map(|(a, b)| a * b).sum();
    let t = {
        static K: f64 = 7.0;
        K * s * x[0] + K
    };
    let mut u = 0.0;
    for (w, v) in W.iter().zip(x) {
        u += w * v * v;
    }
    t + K * x[1] * u * W[1]
}
#[differentiable]
fn options(x: &[f64]) -> f64 {
    let mut o: Option<f64> = None;
    let a = *o.get_or_insert(x[0]);
    if let Some(v) = o.as_mut() {
        *v *= x[1];
    }
    *o.get_or_insert(3.0) += x[2];
    let b = o.replace(x[2]);
    let mut c = None;
    for k in 0..3 {
        let v = c.get_or_insert_with(|| x[k] * x[0]);
        *v *= x[k] + 1.0;
    }
    let d = *c.insert(x[1] * c.unwrap());
    a * b.unwrap() + o.unwrap() * c.unwrap() + d
}
#[differentiable]
fn sq(a: impl Into<f64>) -> f64 {
    let a: f64 = a.into();
    a * a
}
#[differentiable]
fn into(x: &[f64]) -> f64 {
    let n = 7i32;
    let k: u8 = 2;
    sq(x[0]) * x[1] + sq(3) * x[2] + sq(x[2]) * sq(n) + sq(k) * x[1] * x[1]
}

#[test]
fn orderings_in_options() {
    scalar!(order::AD, order).row(907).check(&POINTS);
}

#[test]
fn lists_of_places_and_statics() {
    scalar!(list::AD, list).row(908).check(&POINTS);
    scalar!(statics::AD, statics).row(908).check(&POINTS);
}

#[test]
fn options_that_are_filled_and_numbers_that_are_converted() {
    scalar!(options::AD, options).row(909).check(&POINTS);
    scalar!(into::AD, into).row(909).check(&POINTS);
}

struct Layer {
    top: f64,
    gamma: f64,
}
struct Site {
    layers: Vec<Layer>,
}
impl Site {
    fn at(&self, z: f64) -> &Layer {
        let below = self.layers.iter().rev().find(|l| l.top <= z);
        below.unwrap_or(&self.layers[0])
    }
}

#[differentiable]
fn pressure(x: &[f64], #[constant] site: &Site) -> f64 {
    let (l, m) = (passive(site.at(x[0])), site.at(passive(x[1])));
    let mut sum = l.gamma * x[0] * x[0] + m.gamma * x[1];
    for v in x {
        let l = passive(site.at(*v));
        sum += l.gamma * v * v + site.at(passive(2.0 * v)).top * v;
    }
    sum
}

#[test]
fn parts_of_constants_that_numbers_without_derivatives_choose() {
    let layer = |top, gamma| Layer { top, gamma };
    let site = Site {
        layers: vec![layer(0.0, 17.0), layer(0.5, 19.0), layer(1.2, 21.0)],
    };
    scalar!(pressure::AD.with(&site), |x: &[f64]| pressure(x, &site))
        .row(111)
        .check(&POINTS);
}
