//! Tuples on their way between functions: order and copies, references in loops, methods, lengths, names that meet.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];

// ---- names ----

/// Components have names for the generated code, which those of other parameters may be.
#[differentiable]
fn names(s_0: f64, s: (f64, f64), s_1: f64, (s_0_, t): (f64, f64)) -> f64 {
    s_0 * s.0 + s.1 * s.1 * s_1 - s_0_ * t * s.0
}

#[differentiable]
fn shadowed((mut a, b): (f64, f64), c: f64) -> f64 {
    a += c;
    let a = a * b;
    let (b, a) = (a * a, b.sin());
    {
        let a = b;
        let b = a * c;
        if b > 100.0 {
            return a;
        }
    }
    a * b - c
}

#[differentiable]
fn bound(s @ (a, b): (f64, f64), (ref p, q): (f64, f64), &[u, .., w]: &[f64; 3]) -> f64 {
    s.0 * a * b + *p * q * s.1 + u * w * p
}

#[differentiable]
fn rest((n, .., z): (usize, f64, f64, f64), (w, ..): (f64, usize)) -> f64 {
    n as f64 * z * w
}

#[differentiable]
fn of_names(x: &[f64]) -> f64 {
    let s = (x[1], x[0]);
    let (mut n, mut sum) = (1, 0.0);
    for i in 0..3 {
        n += i;
        sum += rest((n, x[0], x[1], x[i] * sum + x[0]), (x[i], n));
    }
    let at = bound(s, (x[2], x[1]), &[x[1], x[0], x[2]]);
    names(x[0], s, x[1], (x[2], x[0] * x[1])) * at + shadowed(s, x[2]) * shadowed((s.1, at), sum)
}

#[test]
fn names_that_meet() {
    scalar!(of_names).rows(&[169, 170]).check(&POINTS);
}

// ---- order and copies ----

#[differentiable]
fn put(mut s: (f64, [f64; 2]), k: f64) -> f64 {
    s.1[0] *= k;
    s.0 += s.1[0];
    s.1[1] *= s.0 * s.0;
    s.1[1] + s.1[0]
}

/// A tuple is what it was when it was reached, and the callee has its own.
#[differentiable]
fn ordered(x: &[f64]) -> f64 {
    let mut s = (x[0], [x[1], x[2]]);
    let a = put(s, {
        s.1[0] = x[0] * x[0];
        s.0 = 3.0;
        x[1]
    });
    let (mut list, mut q) = ([x[0], x[2]], x[1]);
    let b = put((q, list), {
        list[1] = 7.0 * q;
        q = 2.0;
        q * x[1]
    });
    a * b + put(s, list[1]) * s.1[0] * s.1[1] * s.0
}

#[differentiable]
fn grown(s: (Vec<f64>, f64), k: f64) -> (Vec<f64>, f64) {
    let (mut v, t) = s;
    v.push(t * k);
    let last = v[v.len() - 1] * v[0];
    (v, last)
}

#[differentiable]
fn growing(x: &[f64]) -> f64 {
    let mut s = (x.to_vec(), x[1]);
    for k in x {
        s = grown(s, *k);
    }
    let nested = (s.clone(), [x[0], 2.0]);
    let ((mut v, t), list) = nested.clone();
    v[0] *= t;
    let r = grown(nested.0, s.1 * list[0]);
    s.0.iter().sum::<f64>() * s.1 + r.0[6] * r.1 * v[0]
}

#[test]
fn order_and_copies() {
    scalar!(ordered).row(169).check(&POINTS);
    scalar!(growing).row(169).check(&POINTS);
}

// ---- where tuples come from ----

#[differentiable]
fn area(p: (f64, f64)) -> f64 {
    p.0 * p.0 * p.1.sin()
}

#[differentiable]
fn area_of(p: &(f64, f64)) -> f64 {
    p.0 * p.0 * p.1.sin()
}

#[differentiable]
fn turn(s: (f64, f64), h: f64) -> (f64, f64) {
    (s.0 + h * s.1, s.1 - h * s.0.sin())
}

#[differentiable]
fn power(s: (f64, f64), n: usize) -> f64 {
    if n == 0 {
        s.0
    } else {
        power((s.1, s.0 * s.1 + s.0), n - 1)
    }
}

#[differentiable]
fn positive(x: f64, y: f64) -> Option<(f64, f64)> {
    if x > 0.1 { Some((x * y, y)) } else { None }
}

const START: (f64, f64) = (1.0, 0.5);

#[differentiable]
fn sources(x: &[f64]) -> f64 {
    let s = if x[0] > x[1] {
        (x[0], x[2])
    } else {
        (x[2], x[1] * x[0])
    };
    let of_arms = area(if x[2] > 0.5 {
        (x[0], x[1])
    } else {
        (x[1], s.0)
    }) * area_of(&if x[0] > 1.0 { s } else { (s.1, s.0) });
    let folded = x.iter().fold((x[0], 1.0), |acc, v| turn(acc, *v));
    let apart = (x.windows(2)).fold((1.0, x[1]), |(a, b), w| turn((b, a), w[0] * w[1]));
    let pairs: f64 = (x.iter().zip(x.iter().rev()))
        .map(|(a, b)| area((*a, *b)))
        .sum();
    let double = |(a, b): (f64, f64), c: f64| area((b, a)) * c;
    let mut sum = area(positive(x[1], x[2]).unwrap_or((x[0], x[1])));
    if let Some(s) = positive(x[0], x[1]) {
        sum += double(s, x[2]);
    }
    let constant = turn(START, x[0]);
    let constants = area(constant) + area((START.0, x[1])) + area_of(&(START.1 * x[2], 2.0));
    area(s) + of_arms * folded.0 * folded.1 + area(apart) * pairs + sum * power(s, 3) + constants
}

#[test]
fn made_by_expressions() {
    scalar!(sources).row(169).check(&POINTS);
}

// ---- references ----

#[differentiable]
fn three(a: &(f64, f64), b: &(f64, f64), c: (f64, f64)) -> f64 {
    a.0 * b.1 * b.1 + a.1 * c.0 * c.1
}

#[differentiable]
fn of_slices((x, y): (&[f64], &[f64]), (a, b): (&f64, f64)) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b * b).sum::<f64>() * a * b
}

#[differentiable]
fn bump(s: &mut (f64, (f64, [f64; 2])), by: &(f64, f64)) -> f64 {
    s.0 += by.0 * s.1.0;
    s.1.1[1] *= s.0;
    s.1.0 = s.1.1[1] * by.1;
    let t = &mut s.1;
    t.1[0] += t.0;
    s.0
}

/// One tuple by several names, and references that go from turn to turn.
#[differentiable]
fn borrowed(x: &[f64]) -> f64 {
    let mut s = (x[0], x[1]);
    let mut sum = three(&s, &s, s);
    for v in x {
        let r = &s;
        sum += area_of(r) * v + three(r, &(s.1, s.0), *r);
        let q = &mut s;
        q.0 += v * q.1;
        *q = (q.1, q.0);
        sum += area_of(q);
    }
    let mut state = (x[0], (x[1], [x[2], x[0]]));
    for v in &x[..2] {
        sum += bump(&mut state, &(*v, x[2]));
        let r = &mut state;
        sum *= bump(r, &(0.5, sum));
    }
    let v: Vec<f64> = x.iter().map(|a| a * a).collect();
    let slices = of_slices((x, &v), (&x[0], v[1])) + of_slices((&v[1..], &x[..2]), (&v[1], x[0]));
    sum + slices * state.1.0 * state.1.1[0] + state.1.1[1]
}

#[test]
fn behind_references_in_loops() {
    scalar!(borrowed).row(169).check(&POINTS);
}

// ---- rows ----

#[differentiable]
fn of_rows((m, v): (&[Vec<f64>], Vec<f64>), k: usize) -> f64 {
    let products: f64 = m[k].iter().zip(&v).map(|(a, b)| a * b * b).sum();
    products * m[1 - k][0]
}

#[differentiable]
fn behind_rows(s: &(Vec<Vec<f64>>, Vec<[f64; 2]>), k: usize) -> f64 {
    let (m, v) = s;
    let squares = m[k].iter().map(|a| a * a).sum::<f64>();
    squares * m[1 - k][0] * v[0][1] + v[1][0] * s.0[0].len() as f64
}

#[differentiable]
fn rows(x: &[f64]) -> f64 {
    let m = vec![vec![x[0], x[1]], vec![x[2]]];
    let product = of_rows((&m, vec![x[1], x[2]]), 0) * of_rows((&m, x.to_vec()), 1);
    let s = (m, vec![[x[0], x[1]], [x[2], 1.0]]);
    let mut sum = 0.0;
    for (k, v) in x[..2].iter().enumerate() {
        let r = &s;
        sum += behind_rows(r, k) * v;
    }
    product + sum + behind_rows(&s, 1)
}

#[test]
fn rows_in_tuples() {
    scalar!(rows).row(169).check(&POINTS);
}

// ---- methods, aliases, lengths, generic floats ----

#[differentiable]
mod shapes {
    pub(super) type Point = (f64, f64);
    pub(super) type Edge = (Point, Point);

    #[derive(Clone, Copy, Debug)]
    pub(super) struct Lens {
        k: f64,
        c: [f64; 2],
    }

    impl Lens {
        fn at(&self, (x, y): Point) -> Point {
            (self.k * x + self.c[0], y * x * self.c[1])
        }

        fn along(self, e: &Edge, n: usize) -> f64 {
            let mut p = e.0;
            for _ in 0..n {
                p = self.at(p);
            }
            p.0 * p.1 + self.at(e.1).1
        }

        fn alter(&mut self, s: &mut (f64, f64), &(a, b): &(f64, f64)) {
            self.k += s.0 * a;
            s.1 *= self.k * b;
            self.c[0] = s.1;
        }

        fn made((k, c): (f64, [f64; 2])) -> Lens {
            Lens { k, c }
        }
    }

    fn with(l: Lens, s: (Lens, f64)) -> f64 {
        l.k * s.0.c[0] * s.1
    }

    fn span(&((a, b), (c, d)): &Edge) -> f64 {
        (c - a) * (d * b)
    }

    pub(super) fn run(x: &[f64]) -> f64 {
        let mut l = Lens::made((x[0], [x[1], x[2]]));
        let mut s = (x[1], x[2]);
        for v in &x[..2] {
            l.alter(&mut s, &(*v, x[0]));
        }
        let e = ((x[0], s.0), s);
        let other = Lens { k: 1.0, ..l };
        l.along(&e, 2) + l.along(&(e.1, (s.1, 1.0)), 1) * s.1 + span(&e) + with(l, (other, x[0]))
    }
}

#[differentiable]
fn times<const N: usize, const M: usize>(
    (a, b): ([f64; N], [[f64; M]; N]),
    w: &([f64; M], f64),
) -> ([f64; N], f64) {
    let (mut out, mut sum) = (a, 0.0);
    for i in 0..N {
        for j in 0..M {
            out[i] += b[i][j] * w.0[j] * w.1;
        }
        sum += out[i] * out[i];
    }
    (out, sum)
}

#[differentiable]
fn of_lengths(x: &[f64]) -> f64 {
    let w = ([x[0], x[1], 1.0], x[2]);
    let (list, t) = times(([x[0], x[1]], [[x[2], x[0], x[1]], [1.0, 2.0, x[1]]]), &w);
    let m = [[t, x[0], x[1]], [1.0, x[2], list[0]]];
    let s = times((list, m), &(w.0, 0.1));
    s.0[0] * s.1 + s.0[1]
}

trait Number: Copy + std::ops::Mul<Output = Self> + std::ops::Add<Output = Self> {
    fn sin(self) -> Self;
}

impl Number for f64 {
    fn sin(self) -> f64 {
        f64::sin(self)
    }
}

#[differentiable]
#[active_scalar(T)]
fn of_floats<T: Number>(s: (T, T), &(a, [b, c]): &(T, [T; 2])) -> T {
    s.0 * a * a + s.1 * b * c.sin()
}

#[differentiable]
fn generic(x: &[f64]) -> f64 {
    of_floats((x[0], x[1]), &(x[2], [x[0], x[1]])) * of_lengths(x) + shapes::run(x)
}

#[test]
fn methods_lengths_and_generic_floats() {
    scalar!(generic).row(169).check(&POINTS);
}
