//! Trait objects that are constants where they are made, and take numbers that vary later.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [
    &[0.73, 0.31, 0.92],
    &[0.33, 0.64, 1.41],
    &[1.31, 0.83, 0.46],
];

#[differentiable]
mod gauges {
    pub(super) trait Acc {
        fn add(&mut self, v: f64);
        fn get(&self) -> f64;
    }
    pub(super) struct Sum(f64);
    pub(super) struct Prod {
        p: f64,
        n: u32,
    }
    impl Acc for Sum {
        fn add(&mut self, v: f64) {
            self.0 += v;
        }
        fn get(&self) -> f64 {
            self.0
        }
    }
    impl Acc for Prod {
        fn add(&mut self, v: f64) {
            self.p *= v;
            self.n += 1;
        }
        fn get(&self) -> f64 {
            self.p.powf(1.0 / self.n as f64)
        }
    }
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut accs: Vec<Box<dyn Acc>> = vec![Box::new(Sum(0.0)), Box::new(Prod { p: 1.0, n: 0 })];
        for v in x {
            for a in accs.iter_mut() {
                a.add(*v * x[0]);
            }
        }
        accs.iter().map(|a| a.get()).product()
    }
    fn feed(acc: &mut dyn Acc, x: &[f64]) {
        for v in x {
            acc.add(*v);
        }
    }
    pub(super) fn g(x: &[f64]) -> f64 {
        let mut accs: Vec<Box<dyn Acc>> = Vec::new();
        accs.push(Box::new(Sum(1.0)));
        accs.push(Box::new(Prod { p: 2.0, n: 1 }));
        for a in &mut accs {
            for v in x {
                a.add(v * v);
            }
        }
        accs.iter().map(|a| a.get()).sum::<f64>() * x[1]
    }
    pub(super) fn h(x: &[f64]) -> f64 {
        let mut s = Sum(0.0);
        let mut p = Prod { p: 1.0, n: 0 };
        feed(&mut s, x);
        feed(&mut p, x);
        s.get() * p.get()
    }
}

#[test]
fn objects_that_change() {
    scalar!(gauges::f::AD, gauges::f).row(906).check(&POINTS);
    scalar!(gauges::g::AD, gauges::g).row(906).check(&POINTS);
    scalar!(gauges::h::AD, gauges::h).row(906).check(&POINTS);
}
