//! Traits of one's own on floats, slices, vectors and arrays.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.1, 2.0, 0.5], &[-0.4, 0.3, 1.7]];

#[differentiable]
mod numbers {
    pub(super) trait Shape {
        fn sq(self) -> f64;
        fn plus(&self, o: f64) -> f64;
        fn quad(self) -> f64
        where
            Self: Sized,
        {
            self.sq().sq()
        }
    }

    impl Shape for f64 {
        fn sq(self) -> f64 {
            self * self
        }
        fn plus(&self, o: f64) -> f64 {
            if *self > o {
                return *self * o;
            }
            *self + o * o
        }
    }

    pub(super) fn f(x: &[f64]) -> f64 {
        let y = x[0] * 2.0;
        let z: f64 = x[1];
        let mut s = y.sq() + z.sq() + f64::sq(x[0]) + z.plus(y) + (x[0] - 1.0).sq().sq();
        for v in x {
            s += v.sq() * v.quad();
        }
        s + x.iter().map(|x| (x - 1.0).sq()).sum::<f64>()
            + x.iter().copied().map(Shape::sq).sum::<f64>()
            + x.iter().copied().map(f64::sq).sum::<f64>()
            + Shape::plus(&z, x[2])
    }
}

#[differentiable]
mod lists {
    pub(super) trait Stats {
        fn mean(&self) -> f64;
        fn var(&self) -> f64;
        fn scaled(&self, k: f64) -> Vec<f64>;
        fn grow(&mut self, k: f64);
    }

    impl Stats for [f64] {
        fn mean(&self) -> f64 {
            self.iter().sum::<f64>() / self.len() as f64
        }
        fn var(&self) -> f64 {
            let m = self.mean();
            self.iter().map(|x| (x - m).powi(2)).sum()
        }
        fn scaled(&self, k: f64) -> Vec<f64> {
            self.iter().map(|x| x * k).collect()
        }
        fn grow(&mut self, k: f64) {
            for x in self.iter_mut() {
                *x *= k;
            }
        }
    }

    pub(super) trait Norm {
        fn norm(&self) -> f64;
        fn double(self) -> Self;
    }

    impl Norm for Vec<f64> {
        fn norm(&self) -> f64 {
            self.iter().map(|a| a * a).sum::<f64>().sqrt()
        }
        fn double(mut self) -> Self {
            for a in &mut self {
                *a *= 2.0;
            }
            self
        }
    }

    impl<const N: usize> Norm for [f64; N] {
        fn norm(&self) -> f64 {
            let mut s = 0.0;
            for i in 0..N {
                s += self[i] * self[i];
            }
            s.sqrt()
        }
        fn double(self) -> Self {
            self.map(|a| a * 3.0)
        }
    }

    pub(super) fn f(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        v.grow(x[0]);
        let s = x.mean().powi(2) + x.var() + x.scaled(2.0).var() + v.mean();
        s + x[1..].mean() + [x[0], x[1] * x[1]].mean()
    }

    pub(super) fn g(x: &[f64]) -> f64 {
        let v: Vec<f64> = x.iter().map(|x| x * x).collect();
        let w = [x[0], x[1], x[0] * x[1]];
        v.norm() + w.norm() + v.double().norm() + w.double().norm()
    }
}

#[differentiable]
mod weighted {
    pub(super) trait Weighted {
        const W: f64;
        const N: usize = 2;
        const A: [f64; 2] = [1.5, 2.5];
        fn total(&self) -> f64;
        fn both(&self) -> f64 {
            let mut s = 0.0;
            for i in 0..Self::N {
                s += Self::A[i] * self.total() * Self::W.sqrt();
            }
            s + self.total() * vec![Self::W; Self::N].iter().sum::<f64>()
        }
    }

    impl Weighted for Vec<f64> {
        const W: f64 = 3.0;
        fn total(&self) -> f64 {
            self.iter().map(|v| v * v * Self::W).sum()
        }
    }

    impl Weighted for [f64] {
        const W: f64 = 0.5;
        fn total(&self) -> f64 {
            self[0] * self[1] + Self::W * self[2]
        }
    }

    impl Weighted for f64 {
        const W: f64 = 4.0;
        const N: usize = 1;
        fn total(&self) -> f64 {
            *self * *self
        }
    }

    impl<const M: usize> Weighted for [f64; M] {
        const W: f64 = M as f64;
        fn total(&self) -> f64 {
            self[0] * self[M - 1]
        }
    }

    pub(super) fn f(x: &[f64]) -> f64 {
        x.to_vec().both() * x[0].both() + x.both() * [x[1], x[2]].both()
    }
}

trait Clipped {
    fn clipped(self, at: f64) -> f64;
}

#[differentiable]
impl Clipped for f64 {
    fn clipped(self, at: f64) -> f64 {
        at * (self / at).tanh()
    }
}

trait Sums {
    fn of_squares(&self) -> f64;
}

#[differentiable]
impl Sums for [f64] {
    fn of_squares(&self) -> f64 {
        self.iter().map(|x| x * x).sum()
    }
}

#[differentiable]
fn alone(x: &[f64]) -> f64 {
    let rest: f64 = x[1..].iter().map(|v| v.clipped(2.0)).sum();
    x.of_squares() * x[0].clipped(1.5) + rest
}

#[test]
fn traits_on_floats() {
    scalar!(numbers::f::AD, numbers::f).row(892).check(&POINTS);
    scalar!(alone::AD, alone).row(892).check(&POINTS);
}

#[test]
fn traits_on_lists() {
    scalar!(lists::f::AD, lists::f).row(893).check(&POINTS);
    scalar!(lists::g::AD, lists::g).row(893).check(&POINTS);
    scalar!(weighted::f::AD, weighted::f)
        .row(893)
        .check(&POINTS);
    scalar!(alone::AD, alone).row(893).check(&POINTS);
}
