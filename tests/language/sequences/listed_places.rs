//! Lists of places, `[&mut a, &mut b]`, and arrays whose lengths their patterns tell.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [
    &[0.73, 0.31, 0.92],
    &[0.33, 0.64, 1.41],
    &[1.31, 0.83, 0.46],
];

#[differentiable]
fn variables(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x[0], x[1]);
    for (g, k) in [&mut a, &mut b].into_iter().zip([x[2], 2.0]) {
        *g = *g * k + 1.0;
    }
    for g in [&mut a, &mut b] {
        *g *= *g;
    }
    a * b
}

#[differentiable]
mod gates {
    pub(super) struct Gates {
        m: f64,
        h: f64,
        n: [f64; 2],
    }
    impl Gates {
        fn step(&mut self, rates: [(f64, f64); 3]) {
            let gates = [&mut self.m, &mut self.h, &mut self.n[1]];
            for (gate, (a, b)) in gates.into_iter().zip(rates) {
                *gate += a * (1.0 - *gate) - b * *gate;
            }
        }
        fn normalize(&mut self, limit: f64) -> Option<f64> {
            let total = self.m + self.h + self.n[0];
            for g in [&mut self.m, &mut self.h, &mut self.n[0]] {
                if *g > limit {
                    return None;
                }
                *g /= total;
            }
            [&mut self.m, &mut self.h]
                .into_iter()
                .for_each(|g| *g *= 2.0);
            Some(total)
        }
    }
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut s = Gates {
            m: x[0],
            h: x[1],
            n: [0.5, x[2]],
        };
        s.step([(x[0], x[1]), (x[1], x[2]), (0.3, x[0])]);
        let t = s.normalize(1.2).unwrap_or(x[0]);
        s.step([(x[2], x[1]), (x[1], x[2]), (0.3, x[0])]);
        s.m * s.h + s.n[0] * t + s.n[1]
    }
}

#[differentiable]
fn vectors(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x.to_vec(), vec![1.0, 2.0]);
    for (i, g) in [&mut a, &mut b].into_iter().enumerate() {
        g.push(x[0]);
        for e in g.iter_mut() {
            *e *= x[1] + i as f64;
        }
    }
    let (mut p, mut q) = ([x[0], x[1]], [x[2], 1.0]);
    for r in [&mut p, &mut q] {
        r[0] = r[1] * x[0];
    }
    for e in [&mut p[1], &mut q[0], &mut a[0]] {
        *e = e.sin();
    }
    a.iter().sum::<f64>() * b[2] + p[0] * q[1] + p[1] * q[0]
}

#[test]
fn lists_of_places() {
    scalar!(variables).row(979).check(&POINTS);
    scalar!(gates::f::AD, gates::f)
        .row(979)
        .step(0.01)
        .check(&POINTS);
    scalar!(vectors).row(979).check(&POINTS);
}

#[differentiable]
fn parameters(x: &[f64]) -> f64 {
    let [a, b, c] = x.try_into().unwrap();
    let [d, e] = x[1..].try_into().expect("two");
    let rows: Vec<Vec<f64>> = x.chunks(2).map(<[f64]>::to_vec).collect();
    a * b.sin() * c + d * e * rows[1][0]
}

#[test]
fn arrays_by_their_patterns() {
    scalar!(parameters).row(986).check(&POINTS);
}
