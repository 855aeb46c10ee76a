//! Of two impls of `Sum`, `Extend` or `FromIterator`, for items and for references to them, that for items was called
//! with references too.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.73, 1.31], &[1.64, 0.83]];

#[differentiable]
mod made {
    use std::iter::Sum;
    #[derive(Clone, Copy)]
    pub(super) struct V {
        a: f64,
    }
    impl Sum for V {
        fn sum<I: Iterator<Item = V>>(it: I) -> V {
            it.fold(V { a: 1.0 }, |p, q| V { a: p.a * q.a })
        }
    }
    impl<'a> Sum<&'a V> for V {
        fn sum<I: Iterator<Item = &'a V>>(it: I) -> V {
            let mut s = V { a: 0.0 };
            for v in it {
                s.a -= v.a;
            }
            s
        }
    }
    pub(super) struct W {
        a: Vec<f64>,
    }
    impl Extend<f64> for W {
        fn extend<I: IntoIterator<Item = f64>>(&mut self, it: I) {
            for v in it {
                self.a.push(v);
            }
        }
    }
    impl<'a> Extend<&'a f64> for W {
        fn extend<I: IntoIterator<Item = &'a f64>>(&mut self, it: I) {
            for v in it {
                self.a.push(v * 3.0);
            }
        }
    }
    impl<'a> FromIterator<&'a f64> for W {
        fn from_iter<I: IntoIterator<Item = &'a f64>>(it: I) -> W {
            W {
                a: it.into_iter().map(|v| v * 7.0).collect(),
            }
        }
    }
    impl FromIterator<f64> for W {
        fn from_iter<I: IntoIterator<Item = f64>>(it: I) -> W {
            W {
                a: it.into_iter().collect(),
            }
        }
    }
    fn all(w: &W) -> f64 {
        w.a.iter().fold(0.0, |s, v| 1.25 * s + v * v)
    }
    fn total<'a>(it: impl Iterator<Item = &'a V>) -> V {
        it.sum()
    }
    pub(super) fn summed(x: &[f64]) -> f64 {
        let vs: Vec<V> = x.iter().map(|v| V { a: *v }).collect();
        let lent: V = vs.iter().sum();
        let copied = vs.iter().copied().sum::<V>();
        let some: V = (0..2).map(|i| &vs[i]).filter(|v| v.a > 1.0).sum();
        let called = V::sum(vs[1..].iter()).a * V::sum(vs.iter().copied()).a;
        let own: V = vs.clone().into_iter().sum();
        lent.a + copied.a * some.a - own.a * own.a + total(vs.iter()).a.sin() + called
    }
    pub(super) fn extended(x: &[f64]) -> f64 {
        let mut w: W = x.iter().collect();
        let y = [x[1], x[0]];
        w.extend(x);
        w.extend(x.iter().rev());
        w.extend(x.iter().map(|v| v.exp()));
        w.extend(&y);
        w.extend(y);
        for v in x {
            w.extend(Some(v));
            w.extend(Some(*v));
        }
        let u = x.iter().copied().collect::<W>();
        all(&w) * all(&u) + all(&W::from_iter(x)) - all(&W::from_iter(y))
    }
}

#[test]
fn two_impls_by_items() {
    scalar!(made::summed::AD, made::summed)
        .takes_memory()
        .check(&POINTS);
    scalar!(made::extended::AD, made::extended)
        .takes_memory()
        .check(&POINTS);
}
