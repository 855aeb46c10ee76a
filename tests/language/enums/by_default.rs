//! `Default::default()` by the type of the place it goes to, and `Self::Output` in code.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7, 1.1], &[0.2, -0.6], &[1.4, 0.3]];

#[differentiable]
mod places {
    use std::ops::{Add, Mul};

    #[derive(Clone, Copy, Debug, Default)]
    pub struct Pair {
        pub a: f64,
        pub b: f64,
    }
    impl Pair {
        pub fn new(a: f64, b: f64) -> Self {
            Pair { a, b }
        }
    }
    impl Add for Pair {
        type Output = Self;
        fn add(self, o: Self) -> Self::Output {
            Self::Output {
                a: self.a + o.a,
                b: self.b + o.b,
            }
        }
    }
    impl Mul<f64> for Pair {
        type Output = Pair;
        fn mul(self, k: f64) -> Self::Output {
            Self::Output::new(self.a * k, self.b * k)
        }
    }
    pub struct Layer {
        sum: Pair,
        last: Option<f64>,
        seen: Vec<f64>,
        weights: [f64; 2],
        pairs: Vec<(f64, f64)>,
        at: (usize, f64),
        n: usize,
        is_open: bool,
    }
    impl Layer {
        pub fn new(n: usize) -> Self {
            Layer {
                sum: Default::default(),
                last: Default::default(),
                seen: Default::default(),
                weights: Default::default(),
                pairs: Default::default(),
                at: Default::default(),
                n,
                is_open: Default::default(),
            }
        }
        pub fn take(&mut self, v: f64) {
            let factor = if self.is_open { 0.5 } else { 2.0 };
            self.sum = self.sum + Pair::new(v, v * v) * factor;
            self.seen.push(v * self.last.unwrap_or(1.5));
            self.pairs.push((v, v.sin()));
            self.last = Some(v);
            self.weights[self.n % 2] += v * v;
            self.at = (self.at.0 + 1, self.at.1 + v.cos());
            self.n += 1;
            self.is_open = !self.is_open;
        }
        pub fn clear(&mut self) {
            self.sum = Default::default();
            self.last = Default::default();
        }
        pub fn total(&self) -> f64 {
            self.sum.a * self.sum.b
                + self.seen.iter().sum::<f64>()
                + self.weights[0] * self.weights[1]
                + self.pairs.iter().map(|(a, b)| a * b).sum::<f64>()
                + self.at.0 as f64 * self.at.1
        }
    }
    fn joined(p: Pair, k: f64) -> f64 {
        p.a + p.b * k
    }
    pub fn fields(x: &[f64]) -> f64 {
        let mut l = Layer::new(1);
        l.take(x[0]);
        l.take(x[1]);
        let first = l.total();
        l.clear();
        l.take(x[0] * x[1]);
        first + l.total() + joined(Default::default(), x[0])
    }
    fn start(k: usize) -> Pair {
        if k == 0 {
            Default::default()
        } else {
            Pair::new(1.0, 2.0)
        }
    }
    pub fn values(x: &[f64]) -> f64 {
        let mut p = start(0);
        let mut q: (Pair, f64) = Default::default();
        let zeros: [f64; 2] = Default::default();
        for (k, v) in x.iter().enumerate() {
            p = p + start(k) * *v + Pair::new(v * v, zeros[k]);
            q.1 += v * p.a;
            q.0 = q.0 + p;
        }
        q.0.a * q.0.b + q.1
    }
}

#[test]
fn places_of_all_types() {
    scalar!(places::fields::AD, places::fields)
        .row(993)
        .takes_memory()
        .check(&POINTS);
    scalar!(places::values::AD, places::values)
        .row(993)
        .row(994)
        .check(&POINTS);
}
