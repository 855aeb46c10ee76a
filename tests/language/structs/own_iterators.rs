//! Iterators of one's own: structs with a method `next`, behind `for` and in chains.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.0, 0.6], &[0.7, 0.9]];

#[derive(Clone, Differentiable)]
struct Decay {
    v: f64,
    rate: f64,
}

#[differentiable]
impl Iterator for Decay {
    type Item = f64;
    fn next(&mut self) -> Option<f64> {
        let now = self.v;
        self.v *= self.rate;
        if now.abs() < 1e-3 { None } else { Some(now) }
    }
}

#[differentiable]
fn decayed(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    let first = Decay {
        v: x[0],
        rate: 0.5 * x[1],
    };
    for (k, v) in first.enumerate() {
        sum += v * (k + 1) as f64;
    }
    let mut decay = Decay { v: x[1], rate: 0.4 };
    let first: f64 = decay.by_ref().take(2).sum();
    for v in &mut decay {
        sum += v * v;
        if v < 0.05 {
            break;
        }
    }
    let rest: Vec<f64> = decay.collect();
    sum + first * rest.len() as f64 + rest[0]
}

#[differentiable]
mod grids {
    pub(super) struct Grid {
        n: usize,
        i: usize,
        j: usize,
    }

    impl Grid {
        pub(super) fn new(n: usize) -> Self {
            Grid { n, i: 0, j: 0 }
        }
    }

    impl Iterator for Grid {
        type Item = (usize, usize);
        fn next(&mut self) -> Option<(usize, usize)> {
            if self.i >= self.n {
                return None;
            }
            let at = (self.i, self.j);
            self.j += 1;
            if self.j == self.n {
                self.j = 0;
                self.i += 1;
            }
            Some(at)
        }
    }

    pub(super) struct Simpson {
        a: f64,
        h: f64,
        n: usize,
        k: usize,
    }

    impl Simpson {
        pub(super) fn on(a: f64, b: f64, n: usize) -> Self {
            let h = (b - a) / n as f64;
            Simpson { a, h, n, k: 0 }
        }
    }

    impl Iterator for Simpson {
        type Item = (f64, f64);
        fn next(&mut self) -> Option<Self::Item> {
            if self.k > self.n {
                return None;
            }
            let w = match self.k {
                k if k == 0 || k == self.n => 1.0,
                k if k % 2 == 1 => 4.0,
                _ => 2.0,
            };
            let node = (self.a + self.h * self.k as f64, w * self.h / 3.0);
            self.k += 1;
            Some(node)
        }
    }

    pub(super) fn integrals(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (i, j) in Grid::new(2) {
            sum += x[i] * x[j].sin();
        }
        for (t, w) in Simpson::on(0.0, 1.0, 8) {
            sum += w * (x[0] * t).exp();
        }
        let moving = Simpson::on(0.0, x[1], 8).map(|(t, w)| w * (x[0] * t).cos());
        sum + moving.sum::<f64>()
    }
}

#[test]
fn iterators_of_ones_own() {
    scalar!(decayed).row(365).check(&POINTS);
    let integrals = |x: &[f64]| grids::integrals(x);
    scalar!(grids::integrals::AD, integrals)
        .row(365)
        .takes_memory()
        .check(&POINTS);
}

#[differentiable]
fn consumed(x: &[f64]) -> f64 {
    let decay = Decay { v: x[0], rate: 0.5 };
    let highest = decay.clone().fold(0.0, f64::max);
    let reduced = decay.clone().reduce(|a, b| a * b + b).unwrap_or(0.0);
    let picked = decay.clone().max_by(|a, b| a.total_cmp(b)).unwrap()
        + decay
            .clone()
            .min_by(|a, b| a.partial_cmp(b).unwrap())
            .unwrap()
        + decay.clone().nth(1).unwrap()
        + decay.clone().last().unwrap()
        + decay.clone().find(|v| *v < 0.4).unwrap_or(0.0);
    let behind = Decay { v: x[1], rate: 0.3 };
    let chained: f64 = decay.clone().chain(behind).map(|v| v * v).sum();
    let nested = (0..3).flat_map(|k| Decay {
        v: x[1] * (k + 1) as f64,
        rate: 0.4,
    });
    let nested: f64 = nested.sum();
    highest * reduced
        + picked * decay.clone().count() as f64
        + chained * nested
        + decay.product::<f64>()
}

#[test]
fn all_that_uses_up_iterators_of_ones_own() {
    scalar!(consumed).row(365).check(&POINTS);
}

#[differentiable]
mod life {
    pub struct G {
        rate: f64,
    }
    impl G {
        fn at(&self, t: f64) -> f64 {
            (-self.rate * t).exp()
        }
    }
    pub struct Years<'m> {
        m: &'m G,
        t: u32,
    }
    impl<'m> Years<'m> {
        fn new(m: &'m G) -> Self {
            Years { m, t: 0 }
        }
    }
    impl Iterator for Years<'_> {
        type Item = (u32, f64);
        fn next(&mut self) -> Option<(u32, f64)> {
            if self.t > 50 {
                return None;
            }
            self.t += 1;
            Some((self.t, self.m.at(self.t as f64)))
        }
    }
    pub(super) fn f(rate: &[f64]) -> f64 {
        let m = G { rate: rate[0] };
        let years = Years { m: &m, t: 0 };
        years.take(7).map(|(t, a)| a * t as f64).sum()
    }
    pub(super) fn g(rate: &[f64]) -> f64 {
        let m = G { rate: rate[0] };
        let mut s = 0.0;
        for (t, a) in Years::new(&m).take(5) {
            s += a / t as f64;
        }
        let years = Years { m: &m, t: 30 };
        for (_, a) in years {
            s += a;
        }
        let mut y = Years::new(&m);
        let first: f64 = y.by_ref().take(2).map(|p| p.1).sum();
        for (t, a) in &mut y {
            s += a * a;
            if t > 5 {
                break;
            }
        }
        let rest: Vec<(u32, f64)> = y.collect();
        let all: Vec<f64> = Years::new(&m).map(|(_, a)| a).skip(1).step_by(2).collect();
        let h = Years { m: &m, t: 48 }.fold(1.0, |s, (_, a)| s * a + a);
        s + first + rest[0].1 + all.iter().sum::<f64>() + h
    }
    pub(super) fn h(x: &[f64]) -> f64 {
        let m = G { rate: x[0] };
        let years = Years::new(&m);
        let v: Vec<_> = years.take_while(|(t, _)| *t < 9).collect();
        v.iter().map(|(t, a)| a * x[0] * *t as f64).sum()
    }
}

#[test]
fn iterators_of_ones_own_that_borrow() {
    for f in [0.5, 0.8] {
        scalar!(life::f::AD, life::f).row(853).check(&[&[f]]);
        scalar!(life::g::AD, life::g).row(853).check(&[&[f]]);
        scalar!(life::h::AD, life::h).row(853).check(&[&[f]]);
    }
}
