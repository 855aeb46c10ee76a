//! Values of type parameters: functions that are generic over a trait of one's own or over operators, of numbers,
//! arrays, vectors and structs.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];
const COORDINATES: [&[f64]; 1] = [&[0.0, 0.1, 1.0, 2.0, 2.0, -1.0, 3.0, 0.5, 4.0, 1.0]];

#[differentiable]
mod curves {
    pub trait Lerp: Copy {
        fn lerp(self, other: Self, t: f64) -> Self;
    }
    impl Lerp for f64 {
        fn lerp(self, other: Self, t: f64) -> Self {
            self + (other - self) * t
        }
    }
    #[derive(Clone, Copy, Debug)]
    pub struct P2(pub f64, pub f64);
    impl Lerp for P2 {
        fn lerp(self, other: Self, t: f64) -> Self {
            P2(self.0.lerp(other.0, t), self.1.lerp(other.1, t))
        }
    }
    impl Lerp for [f64; 3] {
        fn lerp(self, other: Self, t: f64) -> Self {
            [
                self[0] + t * (other[0] - self[0]),
                self[1] + t * (other[1] - self[1]),
                self[2] + t * (other[2] - self[2]),
            ]
        }
    }
    pub fn de_boor<P: Lerp>(ctrl: &[P], knots: &[f64], degree: usize, u: f64) -> P {
        let k = (degree..ctrl.len())
            .rev()
            .find(|&i| knots[i] <= u)
            .unwrap_or(degree);
        let mut d: Vec<P> = (0..=degree).map(|j| ctrl[j + k - degree]).collect();
        for r in 1..=degree {
            for j in (r..=degree).rev() {
                let lo = knots[j + k - degree];
                let hi = knots[j + 1 + k - r];
                let a = (u - lo) / (hi - lo);
                d[j] = d[j - 1].lerp(d[j], a);
            }
        }
        d[degree]
    }
    pub fn length(xy: &[f64]) -> f64 {
        let ctrl: Vec<P2> = xy.chunks_exact(2).map(|c| P2(c[0], c[1])).collect();
        let knots = [0.0, 0.0, 0.0, 0.0, 0.4, 1.0, 1.0, 1.0, 1.0];
        let mut prev = de_boor(&ctrl, &knots, 3, 0.0);
        let mut len = 0.0;
        for i in 1..=10 {
            let p = de_boor(&ctrl, &knots, 3, i as f64 / 10.0);
            len += (p.0 - prev.0).hypot(p.1 - prev.1);
            prev = p;
        }
        len + de_boor(&xy[..5], &knots, 3, 0.3)
    }
    fn casteljau<P>(p: &[P], t: f64) -> P
    where
        P: Lerp,
    {
        let mut q = p.to_vec();
        while q.len() > 1 {
            q = q.windows(2).map(|w| w[0].lerp(w[1], t)).collect();
        }
        q[0]
    }
    pub fn bezier(x: &[f64]) -> f64 {
        let ps = [P2(x[0], x[1]), P2(x[2], x[3]), P2(x[4], x[5])];
        let p = casteljau(&ps, x[6].abs() * 0.3);
        p.0 * p.1 + casteljau(&[x[0], x[1], x[2]], 0.2)
    }
    fn ends<P: Lerp>(a: P, b: P) -> (P, P) {
        (a.lerp(b, 0.25), b.lerp(a, 0.25))
    }
    fn path<P: Lerp>(a: P, b: P, n: usize) -> Vec<P> {
        (0..n).map(|i| a.lerp(b, i as f64 / n as f64)).collect()
    }
    pub fn many(x: &[f64]) -> f64 {
        let (p, q) = ends(P2(x[0], x[1]), P2(x[2], x[3]));
        let (r, _) = ends(x[4], x[5]);
        let all = path([x[0], x[1], x[2]], [x[3], x[4], x[5]], 4);
        let s: f64 = all.iter().map(|a| a[0] * a[1] * a[2]).sum();
        p.0 * q.1 + r * r + s
    }
    fn mean<P: Lerp>(points: &[P]) -> Option<P> {
        let mut m = *points.first()?;
        for (i, p) in points.iter().enumerate().skip(1) {
            m = m.lerp(*p, 1.0 / (i + 1) as f64);
        }
        Some(m)
    }
    pub fn averaged(x: &[f64]) -> f64 {
        let ps: Vec<P2> = x.chunks_exact(2).map(|c| P2(c[0], c[1])).collect();
        match mean(&ps) {
            Some(p) => p.0 * p.1,
            None => 0.0,
        }
    }
}

#[test]
fn points_and_numbers_by_one_function() {
    let (length, bezier) = (curves::length::AD, curves::bezier::AD);
    scalar!(length, |x: &[f64]| curves::length(x))
        .row(915)
        .check(&COORDINATES);
    scalar!(bezier, |x: &[f64]| curves::bezier(x))
        .row(915)
        .check(&COORDINATES);
    scalar!(curves::many::AD, |x: &[f64]| curves::many(x))
        .row(915)
        .check(&COORDINATES);
    scalar!(curves::averaged::AD, |x: &[f64]| curves::averaged(x))
        .row(915)
        .check(&COORDINATES);
}

#[differentiable]
mod vectors {
    use std::ops::{Add, Mul, Sub};
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct V {
        pub x: f64,
        pub y: f64,
    }
    impl Add for V {
        type Output = V;
        fn add(self, o: V) -> V {
            V {
                x: self.x + o.x,
                y: self.y + o.y,
            }
        }
    }
    impl Sub for V {
        type Output = V;
        fn sub(self, o: V) -> V {
            V {
                x: self.x - o.x,
                y: self.y - o.y,
            }
        }
    }
    impl Mul<f64> for V {
        type Output = V;
        fn mul(self, k: f64) -> V {
            V {
                x: self.x * k,
                y: self.y * k,
            }
        }
    }
    pub fn blend<T>(a: T, b: T, t: f64) -> T
    where
        T: Add<Output = T> + Mul<f64, Output = T> + Copy,
    {
        a * (1.0 - t) + b * t
    }
    pub fn simpson<T: Add<Output = T> + Mul<f64, Output = T> + Copy>(
        f: impl Fn(f64) -> T,
        a: f64,
        b: f64,
        n: usize,
    ) -> T {
        let h = (b - a) / (2 * n) as f64;
        let mut s = f(a) + f(b);
        for i in 1..2 * n {
            let w = if i % 2 == 1 { 4.0 } else { 2.0 };
            s = s + f(a + i as f64 * h) * w;
        }
        s * (h / 3.0)
    }
    pub fn sum<T: Add<Output = T> + Copy>(xs: &[T], zero: T) -> T {
        xs.iter().fold(zero, |a, &b| a + b)
    }
    pub fn horner<T>(c: &[T], t: f64) -> T
    where
        T: Copy + Add<T, Output = T> + Mul<f64, Output = T>,
    {
        let mut acc = c[c.len() - 1];
        for k in (0..c.len() - 1).rev() {
            acc = acc * t + c[k];
        }
        acc
    }
    pub fn diff<T: Sub<Output = T> + Copy>(xs: &[T]) -> Vec<T> {
        xs.windows(2).map(|w| w[1] - w[0]).collect()
    }
    pub fn last<T: Copy>(xs: &[T]) -> T {
        xs[xs.len() - 1]
    }
    pub fn largest<T: PartialOrd + Copy>(xs: &[T]) -> T {
        let mut m = xs[0];
        for &x in xs {
            if x > m {
                m = x;
            }
        }
        m
    }
    pub fn f(x: &[f64]) -> f64 {
        let v = blend(V { x: x[0], y: x[1] }, V { x: x[2], y: 1.0 }, x[0]);
        v.x * v.y + blend(x[0], x[1], 0.3)
    }
    pub fn g(x: &[f64]) -> f64 {
        let s = simpson(|t| (t * x[0]).sin(), 0.0, x[1], 4);
        let v = simpson(
            |t| V {
                x: t * x[2],
                y: (t * x[0]).exp(),
            },
            0.0,
            x[1],
            4,
        );
        s * v.x + v.y
    }
    pub fn h(x: &[f64]) -> f64 {
        let vs = [
            V { x: x[0], y: x[1] },
            V {
                x: x[2],
                y: x[1] * x[0],
            },
        ];
        let v = sum(&vs, V { x: 0.0, y: 0.0 });
        let p = horner(&vs, x[2]);
        v.x * v.y + sum(x, 0.0) * horner(x, 0.3) + p.x * p.y
    }
    pub fn k(x: &[f64]) -> f64 {
        let d = diff(x);
        let e = diff(&[
            V { x: x[0], y: x[1] },
            V {
                x: x[2],
                y: x[1] * x[0],
            },
        ]);
        let idx = [3usize, 1, 2];
        let n = last(&idx);
        d[0] * d[1] * n as f64 + e[0].x * last(&e).y + largest(x) * largest(&idx) as f64
    }
}

#[test]
fn operators_as_bounds() {
    scalar!(vectors::f::AD, |x: &[f64]| vectors::f(x))
        .row(917)
        .check(&POINTS);
    scalar!(vectors::g::AD, |x: &[f64]| vectors::g(x))
        .row(917)
        .check(&POINTS);
    scalar!(vectors::h::AD, |x: &[f64]| vectors::h(x))
        .row(917)
        .check(&POINTS);
    scalar!(vectors::k::AD, |x: &[f64]| vectors::k(x))
        .row(917)
        .check(&POINTS);
}

trait Lerp: Copy {
    fn lerp(self, o: Self, t: f64) -> Self;
}
#[derive(Clone, Copy, Differentiable)]
struct P2(f64, f64);
#[differentiable]
impl Lerp for P2 {
    fn lerp(self, o: P2, t: f64) -> P2 {
        P2(self.0 + (o.0 - self.0) * t, self.1 + (o.1 - self.1) * t)
    }
}
#[differentiable]
impl Lerp for f64 {
    fn lerp(self, o: f64, t: f64) -> f64 {
        self + (o - self) * t
    }
}
#[differentiable]
fn mid<P: Lerp>(a: P, b: P, t: f64) -> P {
    a.lerp(b, t)
}
#[differentiable]
fn casteljau<P: Lerp>(p: &[P], t: f64) -> P {
    let mut q: Vec<P> = p.to_vec();
    while q.len() > 1 {
        q = q.windows(2).map(|w| w[0].lerp(w[1], t)).collect();
    }
    q[0]
}
#[differentiable]
fn f(x: &[f64]) -> f64 {
    let p = mid(P2(x[0], x[1]), P2(x[2], 1.0), x[0]);
    p.0 * p.1 + mid(x[0], x[1], x[2])
}
#[differentiable]
fn g(x: &[f64]) -> f64 {
    let p = casteljau(&[P2(x[0], x[1]), P2(x[2], 1.0), P2(0.0, x[2])], x[0]);
    p.0 * p.1
}

#[test]
fn functions_of_no_module() {
    scalar!(f).row(915).check(&POINTS);
    scalar!(g).row(915).check(&POINTS);
}
