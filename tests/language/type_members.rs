//! Members of types that are parameters, and of types with lengths: constants and types of traits.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.1, 2.0, 0.5, -0.3], &[-0.4, 0.3, 1.7, 0.8]];

#[differentiable]
mod curves {
    pub(super) trait Model {
        const N: usize;
        const SCALE: f64 = 2.0;
        fn eval(p: &[f64], x: f64) -> f64;
    }

    pub(super) struct Poly<const D: usize>;

    impl<const D: usize> Model for Poly<D> {
        const N: usize = D + 1;
        const SCALE: f64 = D as f64;
        fn eval(p: &[f64], x: f64) -> f64 {
            p.iter().rev().fold(0.0, |acc, &c| acc * x + c)
        }
    }

    pub(super) struct Line;

    impl Model for Line {
        const N: usize = 2;
        fn eval(p: &[f64], x: f64) -> f64 {
            p[0] + x * p[1]
        }
    }

    fn cost<M: Model>(p: &[f64]) -> f64 {
        assert_eq!(p.len(), M::N, "{} numbers are needed", M::N);
        debug_assert!(p.len() <= M::N);
        let n = M::N;
        let mut s = 0.0;
        for i in 0..M::N {
            s += p[i] * p[i];
        }
        let w = vec![M::SCALE; M::N];
        let mut q = vec![0.0; n];
        for k in 0..n {
            q[k] = w[k] * p[k];
        }
        M::eval(&q, 0.5).powi(2) + M::SCALE * s + (M::N as f64) * p[M::N - 1]
    }

    pub(super) fn line(p: &[f64]) -> f64 {
        cost::<Line>(&p[..2])
    }

    pub(super) fn cubic(p: &[f64]) -> f64 {
        cost::<Poly<3>>(p) * <Poly<3>>::N as f64 + Poly::<3>::SCALE
    }

    pub(super) fn direct(p: &[f64]) -> f64 {
        let mut c = [0.0; <Poly<1>>::N];
        for i in 0..<Poly<1> as Model>::N {
            c[i] = p[i] * p[i];
        }
        c[0] * c[1] + <Poly<1>>::eval(p, 2.0) + Poly::<1>::eval(&p[..Poly::<1>::N], 3.0)
    }
}

#[test]
fn constants_of_types_with_lengths() {
    scalar!(curves::line::AD, curves::line)
        .row(890)
        .check(&POINTS);
    scalar!(curves::cubic::AD, curves::cubic)
        .row(890)
        .check(&POINTS);
    scalar!(curves::direct::AD, curves::direct)
        .row(890)
        .check(&POINTS);
}
