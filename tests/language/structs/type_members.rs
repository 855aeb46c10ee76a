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

#[differentiable]
mod stages {
    pub trait Stage {
        type Params;
        type Out;
        fn apply(p: &Self::Params, x: f64) -> Self::Out;
        fn total(p: &Self::Params, x: f64) -> f64;
    }
    #[derive(Clone, Copy)]
    pub struct Affine {
        pub scale: f64,
        pub shift: f64,
    }
    pub struct Scale;
    impl Stage for Scale {
        type Params = Affine;
        type Out = f64;
        fn apply(p: &Affine, x: f64) -> f64 {
            p.scale * x + p.shift
        }
        fn total(p: &Self::Params, x: f64) -> f64 {
            Self::apply(p, x) * x
        }
    }
    pub struct Power;
    impl Stage for Power {
        type Params = [f64; 2];
        type Out = [f64; 2];
        fn apply(p: &[f64; 2], x: f64) -> [f64; 2] {
            [x * p[0], x * x * p[1]]
        }
        fn total(p: &Self::Params, x: f64) -> f64 {
            let v = Self::apply(p, x);
            v[0] + v[1]
        }
    }
    fn twice<A: Stage>(a: &A::Params, x: f64) -> f64 {
        A::total(a, A::total(a, x))
    }
    fn owned<A: Stage>(a: A::Params, x: f64) -> f64 {
        A::total(&a, x) + 1.0
    }
    fn out<A: Stage>(a: &A::Params, x: f64) -> A::Out {
        A::apply(a, 2.0 * x)
    }
    fn looped<A: Stage>(a: &A::Params, xs: &[f64]) -> f64 {
        let mut s = 0.0;
        for x in xs {
            s += A::total(a, *x);
        }
        s
    }
    pub(super) fn f(x: &[f64]) -> f64 {
        let a = Affine {
            scale: x[0],
            shift: x[1],
        };
        twice::<Scale>(&a, 3.0)
            + owned::<Scale>(a, x[1])
            + twice::<Power>(&[x[0], x[1]], 2.0)
            + out::<Scale>(&a, x[0])
            + out::<Power>(&[x[1], x[0]], x[0])[1]
            + looped::<Power>(&[x[0], 2.0], x)
    }
    pub trait System {
        type State;
        fn rate(&self, s: &Self::State) -> Self::State;
        fn axpy(s: &Self::State, k: f64, d: &Self::State) -> Self::State;
        fn step(&self, s: &Self::State, h: f64) -> Self::State {
            let d = self.rate(s);
            Self::axpy(s, h, &d)
        }
    }
    pub struct Pendulum {
        l: f64,
    }
    impl System for Pendulum {
        type State = [f64; 2];
        fn rate(&self, s: &[f64; 2]) -> [f64; 2] {
            [s[1], -9.81 / self.l * s[0].sin()]
        }
        fn axpy(s: &Self::State, k: f64, d: &Self::State) -> Self::State {
            [s[0] + k * d[0], s[1] + k * d[1]]
        }
    }
    #[derive(Clone, Copy)]
    pub struct Pos {
        q: f64,
        v: f64,
    }
    pub struct Spring {
        k: f64,
    }
    impl System for Spring {
        type State = Pos;
        fn rate(&self, s: &Pos) -> Pos {
            Pos {
                q: s.v,
                v: -self.k * s.q,
            }
        }
        fn axpy(s: &Pos, k: f64, d: &Pos) -> Pos {
            Pos {
                q: s.q + k * d.q,
                v: s.v + k * d.v,
            }
        }
    }
    fn run<S: System>(sys: &S, s: S::State, n: usize) -> S::State {
        let mut s = s;
        for _ in 0..n {
            s = sys.step(&s, 0.1);
        }
        s
    }
    fn heun<S: System<State = [f64; 2]>>(sys: &S, s: &[f64; 2], h: f64) -> [f64; 2] {
        let k = sys.rate(s);
        let t = S::axpy(s, h, &k);
        let l = sys.rate(&t);
        [
            s[0] + 0.5 * h * (k[0] + l[0]),
            s[1] + 0.5 * h * (k[1] + l[1]),
        ]
    }
    pub(super) fn g(x: &[f64]) -> f64 {
        let p = Pendulum { l: x[0] };
        let s = run(&p, [x[1], 0.0], 5);
        let t = run(&Spring { k: x[0] }, Pos { q: x[1], v: 0.3 }, 4);
        s[0] * s[1] + t.q * t.v + heun(&p, &s, 0.2)[0]
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

#[test]
fn types_of_traits() {
    const PAIRS: [&[f64]; 2] = [&[1.0, 2.0], &[0.4, 0.3]];
    scalar!(stages::f::AD, stages::f).row(891).check(&PAIRS);
    scalar!(stages::g::AD, stages::g).row(891).check(&PAIRS);
}
