//! Values of type parameters in functions that take functions, and functions and constants of the types.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];

#[differentiable]
mod ode {
    pub trait State: Clone {
        fn axpy(&self, k: &Self, h: f64) -> Self;
        fn norm(&self) -> f64;
    }
    impl State for [f64; 2] {
        fn axpy(&self, k: &Self, h: f64) -> Self {
            [self[0] + h * k[0], self[1] + h * k[1]]
        }
        fn norm(&self) -> f64 {
            (self[0] * self[0] + self[1] * self[1]).sqrt()
        }
    }
    #[derive(Clone, Debug)]
    pub struct Body {
        pub q: f64,
        pub v: f64,
    }
    impl State for Body {
        fn axpy(&self, k: &Self, h: f64) -> Self {
            Body {
                q: self.q + h * k.q,
                v: self.v + h * k.v,
            }
        }
        fn norm(&self) -> f64 {
            self.q.hypot(self.v)
        }
    }
    impl State for Vec<f64> {
        fn axpy(&self, k: &Self, h: f64) -> Self {
            self.iter().zip(k).map(|(a, b)| a + h * b).collect()
        }
        fn norm(&self) -> f64 {
            self.iter().map(|a| a * a).sum::<f64>().sqrt()
        }
    }
    pub fn rk4<S: State>(f: impl Fn(f64, &S) -> S, mut s: S, t0: f64, t1: f64, n: usize) -> S {
        let h = (t1 - t0) / n as f64;
        for i in 0..n {
            let t = t0 + i as f64 * h;
            let k1 = f(t, &s);
            let k2 = f(t + 0.5 * h, &s.axpy(&k1, 0.5 * h));
            let k3 = f(t + 0.5 * h, &s.axpy(&k2, 0.5 * h));
            let k4 = f(t + h, &s.axpy(&k3, h));
            s = s
                .axpy(&k1, h / 6.0)
                .axpy(&k2, h / 3.0)
                .axpy(&k3, h / 3.0)
                .axpy(&k4, h / 6.0);
        }
        s
    }
    pub fn step<S, F>(f: &F, s: &S, h: f64) -> S
    where
        S: State,
        F: Fn(&S) -> S,
    {
        let mid = s.axpy(&f(s), 0.5 * h);
        s.axpy(&f(&mid), h)
    }
    pub fn arr(x: &[f64]) -> f64 {
        let e = rk4(|_, s| [s[1], -x[0] * s[0]], [x[1], x[2]], 0.0, 1.0, 5);
        e[0] * e[1]
    }
    pub fn body(x: &[f64]) -> f64 {
        let e = rk4(
            |t, b| Body {
                q: b.v,
                v: -x[0] * b.q + t,
            },
            Body { q: x[1], v: x[2] },
            0.0,
            1.0,
            5,
        );
        e.q * e.v + e.norm()
    }
    pub fn vec(x: &[f64]) -> f64 {
        let e = rk4(
            |_t, s: &Vec<f64>| vec![s[1], -x[0] * s[0].sin()],
            vec![x[1], x[2]],
            0.0,
            1.0,
            5,
        );
        e[0] * e[1] + e.norm()
    }
    pub fn stepped(x: &[f64]) -> f64 {
        let mut s = Body { q: x[1], v: x[2] };
        let f = |b: &Body| Body {
            q: b.v,
            v: -x[0] * b.q,
        };
        for _ in 0..4 {
            s = step(&f, &s, 0.1);
        }
        s.q + s.v * s.q
    }
    pub fn trajectory<S: State>(f: impl Fn(&S) -> S, s0: S, h: f64, n: usize) -> Vec<S> {
        let mut out = vec![s0.clone()];
        let mut s = s0;
        for _ in 0..n {
            s = s.axpy(&f(&s), h);
            out.push(s.clone());
        }
        out
    }
    pub fn swept(x: &[f64]) -> f64 {
        let t = trajectory(
            |b| Body {
                q: b.v,
                v: -x[0] * b.q,
            },
            Body { q: x[1], v: x[2] },
            0.1,
            5,
        );
        t.iter().map(|b| b.q * b.q).sum::<f64>() + t.last().unwrap().v
    }
    pub fn swept_arr(x: &[f64]) -> f64 {
        let t = trajectory(|b| [b[1], -x[0] * b[0]], [x[1], x[2]], 0.1, 5);
        t.iter().map(|b| b[0] * b[0]).sum::<f64>()
    }
}

#[test]
fn states_of_any_type() {
    scalar!(ode::arr::AD, |x: &[f64]| ode::arr(x))
        .row(916)
        .check(&POINTS);
    scalar!(ode::body::AD, |x: &[f64]| ode::body(x))
        .row(916)
        .check(&POINTS);
    scalar!(ode::vec::AD, |x: &[f64]| ode::vec(x))
        .row(916)
        .check(&POINTS);
    scalar!(ode::stepped::AD, |x: &[f64]| ode::stepped(x))
        .row(916)
        .check(&POINTS);
    scalar!(ode::swept::AD, |x: &[f64]| ode::swept(x))
        .row(916)
        .check(&POINTS);
    scalar!(ode::swept_arr::AD, |x: &[f64]| ode::swept_arr(x))
        .row(916)
        .check(&POINTS);
}

#[differentiable]
mod members {
    pub trait Vector: Copy {
        const DIM: usize;
        fn zero() -> Self;
        fn add(self, o: Self) -> Self;
        fn scale(self, k: f64) -> Self;
        fn dot(self, o: Self) -> f64;
    }
    #[derive(Clone, Copy)]
    pub struct V2 {
        pub x: f64,
        pub y: f64,
    }
    impl Vector for V2 {
        const DIM: usize = 2;
        fn zero() -> Self {
            V2 { x: 0.0, y: 0.0 }
        }
        fn add(self, o: Self) -> Self {
            V2 {
                x: self.x + o.x,
                y: self.y + o.y,
            }
        }
        fn scale(self, k: f64) -> Self {
            Self {
                x: self.x * k,
                y: self.y * k,
            }
        }
        fn dot(self, o: Self) -> f64 {
            self.x * o.x + self.y * o.y
        }
    }
    impl Vector for f64 {
        const DIM: usize = 1;
        fn zero() -> Self {
            0.0
        }
        fn add(self, o: Self) -> Self {
            self + o
        }
        fn scale(self, k: f64) -> Self {
            self * k
        }
        fn dot(self, o: Self) -> f64 {
            self * o
        }
    }
    pub fn centroid<P: Vector>(ps: &[P]) -> P {
        let mut s = P::zero();
        for p in ps {
            s = s.add(*p);
        }
        s.scale(1.0 / ps.len() as f64)
    }
    pub fn weighted<P: Vector>(ps: &[P], w: &[f64]) -> P {
        ps.iter()
            .zip(w)
            .fold(P::zero(), |a, (p, w)| a.add(p.scale(*w)))
    }
    pub fn gradient_descent<P, F>(grad: F, start: P, rate: f64, n: usize) -> P
    where
        P: Vector,
        F: Fn(P) -> P,
    {
        let mut p = start;
        for _ in 0..n {
            let g = grad(p);
            if g.dot(g) < 1e-20 {
                return p;
            }
            p = p.add(g.scale(-rate));
        }
        p
    }
    fn dims<P: Vector>(_: P) -> f64 {
        P::DIM as f64
    }
    pub fn f(x: &[f64]) -> f64 {
        let ps: Vec<V2> = x.windows(2).map(|w| V2 { x: w[0], y: w[1] }).collect();
        let c = centroid(&ps);
        c.x * c.y + centroid(x) * c.x
    }
    pub fn g(x: &[f64]) -> f64 {
        let ps: Vec<V2> = x.windows(2).map(|w| V2 { x: w[0], y: w[1] }).collect();
        let c = weighted(&ps, x);
        c.dot(c) + weighted(x, x)
    }
    pub fn h(x: &[f64]) -> f64 {
        let p = gradient_descent(
            |p: V2| V2 {
                x: 2.0 * (p.x - x[0]),
                y: 4.0 * p.y - x[1],
            },
            V2 { x: 1.0, y: x[2] },
            0.1,
            5,
        );
        let q = gradient_descent(|p: f64| 2.0 * p - x[0] * x[1], x[2], 0.1, 5);
        p.x * p.y + q * q
    }
    pub fn midpoint<P: Vector>(f: impl Fn(f64) -> P, a: f64, b: f64, n: usize) -> P {
        let h = (b - a) / n as f64;
        let mut s = P::zero();
        for i in 0..n {
            s = s.add(f(a + (i as f64 + 0.5) * h).scale(h));
        }
        s
    }
    pub fn total<P: Vector, F: Fn(usize) -> P>(n: usize, f: F) -> P {
        let all: Vec<P> = (0..n).map(|i| f(i)).collect();
        let mut acc = vec![P::zero(); n];
        for (a, b) in acc.iter_mut().zip(&all) {
            *a = a.add(*b);
        }
        acc.iter().fold(<P as Vector>::zero(), |a, b| a.add(*b))
    }
    pub fn l(x: &[f64]) -> f64 {
        let v = midpoint(
            |t| V2 {
                x: t * x[0],
                y: (t * x[1]).sin(),
            },
            0.0,
            x[2],
            4,
        );
        let t = total(3, |i| V2 {
            x: x[i],
            y: x[i] * x[0],
        });
        v.x * v.y
            + midpoint(|t| (t * x[0]).exp(), 0.0, x[1], 3)
            + t.x * t.y
            + total(3, |i| x[i] * x[i])
    }
    pub fn descend<P: Vector>(grad: impl Fn(&P) -> P, start: &P, n: usize) -> Vec<P> {
        let mut out = vec![*start];
        for k in 0..n {
            out.push(out[k].add(grad(&out[k]).scale(-0.1)));
        }
        out
    }
    pub fn o(x: &[f64]) -> f64 {
        let ps = descend(
            |p| V2 {
                x: 2.0 * (p.x - x[0]),
                y: 4.0 * p.y - x[1],
            },
            &V2 { x: 1.0, y: x[2] },
            4,
        );
        let qs = descend(|q| q * x[0], &x[1], 4);
        ps.iter().map(|p| p.dot(*p)).sum::<f64>() + qs[4] * qs[3]
    }
    pub fn k(x: &[f64]) -> f64 {
        x[0] * dims(x[0]) + x[1] * x[1] * dims(V2 { x: x[0], y: x[1] })
    }
}

#[test]
fn functions_and_constants_of_type_parameters() {
    scalar!(members::f::AD, |x: &[f64]| members::f(x))
        .row(918)
        .check(&POINTS);
    scalar!(members::g::AD, |x: &[f64]| members::g(x))
        .row(918)
        .check(&POINTS);
    scalar!(members::h::AD, |x: &[f64]| members::h(x))
        .row(918)
        .check(&POINTS);
    scalar!(members::k::AD, |x: &[f64]| members::k(x))
        .row(918)
        .check(&POINTS);
    scalar!(members::l::AD, |x: &[f64]| members::l(x))
        .row(918)
        .check(&POINTS);
    scalar!(members::o::AD, |x: &[f64]| members::o(x))
        .row(918)
        .check(&POINTS);
}
