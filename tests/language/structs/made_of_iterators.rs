//! Structs that are made of iterators: `FromIterator`, `Extend`, and `Sum` of numbers.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [
    &[0.73, 0.31, 0.92],
    &[0.33, 0.64, 1.41],
    &[1.31, 0.83, 0.46],
];

#[differentiable]
mod made {
    pub(super) struct Poly(Vec<f64>);
    impl FromIterator<f64> for Poly {
        fn from_iter<I: IntoIterator<Item = f64>>(iter: I) -> Self {
            Poly(iter.into_iter().collect())
        }
    }
    impl Extend<f64> for Poly {
        fn extend<I: IntoIterator<Item = f64>>(&mut self, iter: I) {
            for v in iter {
                self.0.push(v);
            }
        }
    }
    impl Poly {
        fn derivative(&self) -> Poly {
            self.0
                .iter()
                .enumerate()
                .skip(1)
                .map(|(i, c)| i as f64 * c)
                .collect()
        }
        fn scaled(&self, k: f64) -> Self {
            self.0.iter().map(|c| k * c).collect()
        }
        fn at(&self, x: f64) -> f64 {
            self.0.iter().rev().fold(0.0, |a, c| a * x + c)
        }
    }
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut p: Poly = x.iter().copied().collect();
        p.extend(x.iter().map(|v| v * v));
        let q = (0..3).map(|i| x[i] * i as f64).collect::<Poly>();
        let r = Poly::from_iter(x.iter().map(|v| v.sin()));
        p.derivative().at(x[0]) + q.scaled(x[1]).at(x[2]) * r.at(1.5)
    }
    #[derive(Clone, Copy)]
    pub(super) struct V {
        a: f64,
        b: f64,
    }
    impl std::iter::Sum for V {
        fn sum<I: Iterator<Item = V>>(iter: I) -> V {
            iter.fold(V { a: 0.0, b: 0.0 }, |s, v| V {
                a: s.a + v.a,
                b: s.b + v.b,
            })
        }
    }
    pub(super) struct Total {
        t: f64,
    }
    impl std::iter::Sum<f64> for Total {
        fn sum<I: Iterator<Item = f64>>(iter: I) -> Total {
            let mut t = 0.0;
            for v in iter {
                t += v * 2.0;
            }
            Total { t }
        }
    }
    pub(super) fn g(x: &[f64]) -> f64 {
        let s: V = x.iter().map(|v| V { a: *v, b: v * v }).sum();
        let t = x.iter().map(|v| V { a: *v, b: v * v }).sum::<V>();
        let u: Total = x.iter().map(|v| v * v).sum();
        s.a * t.b + u.t
    }
}

#[test]
fn structs_of_iterators() {
    scalar!(made::f::AD, made::f)
        .takes_memory()
        .row(905)
        .check(&POINTS);
    scalar!(made::g::AD, made::g).row(905).check(&POINTS);
}
