//! Closures that make closures and closures that tuples bind, and what calls of functions that are put in place say of
//! their parameters: lengths, and types by their arguments.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.3, -0.4], &[1.2, 0.4, 0.9]];

#[differentiable]
fn american<F>(s0: f64, n: usize, payoff: F) -> f64
where
    F: Fn(f64) -> f64,
{
    let mut s = 0.0;
    for i in 0..n {
        s += payoff(s0 + 0.6 * i as f64) * s0;
    }
    s
}

#[differentiable]
fn spread(x: &[f64], #[constant] k: (f64, f64)) -> f64 {
    let call = |k: f64| move |s: f64| if s > k { s * (s - k) } else { 0.0 };
    let (lo, hi) = (call(k.0), call(k.1));
    american(x[0] * x[1], 4, |s| lo(s) - hi(s)) * x[1] + american(x[0], 3, call(0.3 * x[1]))
}

#[test]
fn closures_that_make_closures() {
    let k = (0.25, 1.37);
    scalar!(spread::AD.with(k), |x: &[f64]| spread(x, k))
        .row(331)
        .check(&POINTS);
}

#[differentiable]
fn tuples(x: &[f64]) -> f64 {
    let (lo, hi) = (|s: f64| s * s * x[0], |s: f64| s.sin() * x[1]);
    let (lo, (hi, w)) = (hi, (lo, x[1] * 2.0));
    let (mut count, mut next) = (0.0, {
        let mut n = x[0];
        move || {
            n *= 2.0 * x[1];
            n
        }
    });
    count += next();
    count += next() * lo(x[1]);
    american(x[0] * x[1], 3, |s| lo(s) - hi(s)) * w + count
}

#[test]
fn closures_bound_by_tuples() {
    scalar!(tuples).row(332).check(&POINTS);
}

#[differentiable]
mod inside {
    use super::american;

    pub fn shadowed(x: &[f64]) -> f64 {
        let t = x[0];
        let call = |k: f64| move |s: f64| s * t * k;
        let k = x[1] * x[1];
        let t = 2.0 * k;
        let s = call(t);
        s(x[1]) * t + call(k)(x[0]) + (call(2.0))(t)
    }

    pub fn thrice(x: &[f64]) -> f64 {
        let three = |a: f64| {
            move |b: f64| {
                let ab = a * b;
                move |c: f64| ab * c.sin()
            }
        };
        let two = three(x[0]);
        let one = two(x[1]);
        let other = three(x[1])(x[0] * x[0]);
        one(x[0]) * other(x[1]) + two(x[0])(x[1]) + three(1.0)(2.0)(x[0])
    }

    pub fn looped(x: &[f64]) -> f64 {
        let hinge = |k: f64| Box::new(move |s: f64| if s > k { (s - k).powi(2) } else { 0.0 });
        let mut s = 0.0;
        for (i, k) in [0.1, 0.4, 0.9].iter().enumerate() {
            let h = hinge(*k * x[0]);
            let (g, w) = (hinge(k - 0.2), x[1] * i as f64);
            s += h(x[1]) * w + g(s + x[0]);
        }
        s + american(x[1], 2, &hinge(0.3))
    }

    pub fn lists(x: &[f64]) -> f64 {
        let power = |n: i32| move |s: f64| s.powi(n);
        let all = [power(1), power(2), power(3)];
        let mut s = 0.0;
        for f in &all {
            s += f(x[0]) * x[1];
        }
        for (w, f) in [(2.0, power(2)), (x[1], power(4))] {
            s += w * f(x[1]);
        }
        s
    }

    pub fn arrays(x: &[f64]) -> f64 {
        let poly = |c: [f64; 3]| move |s: f64| c[0] + s * (c[1] + s * c[2]);
        let dot = |v: &[f64]| {
            let t = v[0] * v[1];
            move |u: &[f64]| u[0] * t + u[1]
        };
        let owner = |w: Vec<f64>| move |i: usize| w[i] * w[0];
        let p = poly([x[0], x[1], x[0] * x[1]]);
        let (d, g) = (dot(x), owner(x.to_vec()));
        p(x[1]) * d(&[x[1], 2.0]) + dot(&[1.0, x[1]])(x) + g(1)
    }
}

#[test]
fn makers_are_read_where_they_stand() {
    scalar!(inside::shadowed::AD, inside::shadowed)
        .row(331)
        .check(&POINTS);
    scalar!(inside::thrice::AD, inside::thrice)
        .row(331)
        .check(&POINTS);
    scalar!(inside::looped::AD, inside::looped)
        .row(331)
        .check(&POINTS);
    scalar!(inside::lists::AD, inside::lists)
        .row(331)
        .check(&POINTS);
    scalar!(inside::arrays::AD, inside::arrays)
        .row(331)
        .check(&POINTS);
}

#[derive(Differentiable, Clone)]
struct Grid<const R: usize, const C: usize> {
    a: [[f64; C]; R],
}

// the lengths of the block are in another order
#[differentiable]
impl<const C: usize, const R: usize> Grid<R, C> {
    fn from_fn<F: Fn(usize, usize) -> f64>(f: F) -> Self {
        let mut a = [[0.0; C]; R];
        for i in 0..R {
            for j in 0..C {
                a[i][j] = f(i, j);
            }
        }
        Grid { a }
    }

    fn summed<F: Fn(usize, usize) -> f64>(f: F) -> f64 {
        let mut s = 0.0;
        for i in 0..R {
            for j in 0..C {
                s += f(i, j) * (i + 3 * j) as f64;
            }
        }
        s
    }

    fn spread<F: Fn(f64) -> f64, const K: usize>(&self, f: F) -> Grid<R, K> {
        let mut a = [[0.0; K]; R];
        for i in 0..R {
            for j in 0..C {
                for k in 0..K {
                    a[i][k] += f(self.a[i][j]) * (k + 1) as f64;
                }
            }
        }
        Grid { a }
    }
}

#[differentiable]
fn from_fn<const N: usize, F: Fn(usize) -> f64>(f: F) -> [f64; N] {
    let mut a = [0.0; N];
    for i in 0..N {
        a[i] = f(i);
    }
    a
}

const ROWS: usize = 2;

#[differentiable]
fn written(x: &[f64]) -> f64 {
    const COLUMNS: usize = 3;
    let m = Grid::<ROWS, COLUMNS>::from_fn(|i, j| x[i] * x[i] + x[j % 2] * j as f64);
    let s = Grid::<3, 2>::summed(|i, j| x[(i + j) % 2] * x[0]);
    let t: Grid<2, 2> = Grid::<{ 1 + 1 }, _>::from_fn(|i, _| x[i]);
    let g = m.spread::<_, 2>(|t| t * t);
    let v = from_fn::<2, _>(|i| x[i] * x[i]);
    m.a[0][2] * m.a[1][1] * s - t.a[1][0] * g.a[1][1] * g.a[0][0] + v[0] * v[1]
}

#[test]
fn lengths_that_calls_write() {
    scalar!(written).row(333).check(&POINTS);
    for x in POINTS {
        let _row = di_test::rows::row(333);
        let found = di::evaluate(written::AD, &x.to_vec()).unwrap();
        assert_close("value", &[found], &[written(x)], ROUNDING);
    }
}

#[differentiable]
mod linalg {
    #[derive(Clone, Debug)]
    pub struct Matrix<const M: usize, const N: usize> {
        pub a: [[f64; N]; M],
    }

    pub struct Qr<const M: usize, const N: usize> {
        r: Matrix<M, N>,
        shift: f64,
    }

    impl<const M: usize, const N: usize> Matrix<M, N> {
        pub fn from_fn<F: Fn(usize, usize) -> f64>(f: F) -> Self {
            let mut a = [[0.0; N]; M];
            for i in 0..M {
                for j in 0..N {
                    a[i][j] = f(i, j);
                }
            }
            Matrix { a }
        }

        pub fn qr(&self, shift: f64) -> Qr<M, N> {
            let mut r = self.clone();
            r.a[0][0] *= shift;
            Qr { r, shift }
        }
    }

    impl<const M: usize, const N: usize> Qr<M, N> {
        pub fn trace(&self) -> f64 {
            (0..N).map(|i| self.r.a[i][i] * self.shift).sum()
        }
    }

    pub fn traced(x: &[f64]) -> f64 {
        let m = Matrix::<3, 2>::from_fn(|i, j| x[j] * x[1] + x[i] * i as f64);
        m.qr(x[0]).trace() * m.a[2][1]
    }
}

#[test]
fn structs_with_lengths_in_others_of_a_module() {
    scalar!(linalg::traced::AD, linalg::traced)
        .rows(&[333, 310])
        .check(&POINTS);
}

trait Model {
    const ORDER: usize;
    fn scale(&self) -> f64 {
        0.5
    }
}

struct Unit;

impl Model for Unit {
    const ORDER: usize = 2;
}

#[derive(Clone, Copy)]
struct Rate {
    k: f64,
}

impl Model for Rate {
    const ORDER: usize = 3;
    fn scale(&self) -> f64 {
        self.k
    }
}

#[differentiable]
fn cost<M: Model>(p: f64, _m: &M) -> f64 {
    p * p * M::ORDER as f64
}

#[differentiable]
fn by_value<M: Model>(p: f64, m: M) -> f64 {
    let w = [p; 3];
    let mut s = 0.5;
    for i in 0..M::ORDER {
        s += w[i] * p * m.scale();
    }
    s
}

#[differentiable]
fn nested<M: Model, K: Model>(p: f64, m: &M, k: &K) -> f64 {
    cost(p, k) * cost::<M>(p, m) + K::ORDER as f64 * p.powi(M::ORDER as i32)
}

#[differentiable]
fn of_literals(x: &[f64]) -> f64 {
    cost(x[0] * x[1], &Unit) + by_value(x[1], Unit) * by_value(x[0], Rate { k: 1.5 })
}

#[differentiable]
fn of_constants(x: &[f64], #[constant] r: &Rate, #[constant] all: &[Rate]) -> f64 {
    let mut s = nested(x[0], r, &Unit) + cost(x[1], r) + by_value(x[1], *r);
    for r in all {
        s += cost(x[0] * r.k, r);
    }
    s + all.iter().map(|r| cost(x[1], r)).sum::<f64>()
}

// its own parameter has the name of theirs
#[differentiable]
fn of_variables<M: Model + Copy>(x: &[f64], #[constant] r: &M, #[constant] q: M) -> f64 {
    cost(x[0], r) + cost(x[1], &q) * by_value(x[1], q) + by_value(x[0], Unit)
}

#[test]
fn constants_of_types_that_arguments_tell() {
    let (r, all) = (Rate { k: 0.3 }, [Rate { k: 0.8 }, Rate { k: 1.7 }]);
    scalar!(of_literals).row(334).check(&POINTS);
    scalar!(of_constants::AD.with(&r, &all), |x: &[f64]| of_constants(
        x, &r, &all
    ))
    .row(334)
    .check(&POINTS);
    scalar!(of_variables::AD.with(&r, r), |x: &[f64]| of_variables(
        x, &r, r
    ))
    .row(334)
    .check(&POINTS);
}
