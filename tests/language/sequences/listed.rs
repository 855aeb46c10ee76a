//! Lists of references to sequences, arrays of vectors, and elements of rows side by side.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.3, -0.4, 0.2], &[1.2, 0.4, 0.9, -1.1]];

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn parts(x: &[f64]) -> f64 {
    let halves = [&x[..2], &x[2..]];
    let own = vec![x[0] * x[1], x[2]];
    let mixed: [&[f64]; 3] = [&x[..2], &own, &[x[0], x[1].sin()]];
    let mut sum = 0.0;
    for m in mixed {
        sum += dot(m, &x[..m.len()]);
    }
    for (k, m) in mixed.iter().enumerate() {
        sum += m[0] * k as f64;
    }
    for &m in &mixed {
        sum += m[1];
    }
    let [first, second, _] = mixed;
    let each: f64 = halves.iter().map(|p| p[0] * p[1].sin()).sum();
    sum + each + first[0] * second[1] + dot(halves[0], mixed[2])
}

#[differentiable]
fn arrays(x: &[f64]) -> f64 {
    let (a, b) = ([x[0], x[1]], [x[1] * x[2], x[3]]);
    let both = [&a, &b];
    let mut sum = 0.0;
    for v in both {
        sum += v[0] * v[1];
    }
    sum + both[1][0]
}

#[differentiable]
fn vectors(x: &[f64]) -> f64 {
    let mut t: [Vec<f64>; 2] = [Vec::new(), x.to_vec()];
    t[0].push(x[0] * x[1]);
    t[1][0] *= x[2];
    let u = [x[..2].to_vec(), vec![x[3]; 3]];
    let squares = t.iter().map(|r| r.iter().map(|v| v * v).sum::<f64>());
    squares.product::<f64>() * u[0][1] + u[1].iter().sum::<f64>() * u[0][0]
}

#[test]
fn lists_of_references_to_sequences() {
    scalar!(parts).row(337).check(&POINTS);
    scalar!(arrays).row(337).check(&POINTS);
}

#[test]
fn arrays_of_vectors() {
    scalar!(vectors).row(338).check(&POINTS);
}

#[derive(Clone, Differentiable)]
struct Cursor<'a> {
    rest: &'a [f64],
}

#[differentiable]
impl<'a> Cursor<'a> {
    fn take(&mut self, n: usize) -> &'a [f64] {
        let (head, tail) = self.rest.split_at(n);
        self.rest = tail;
        head
    }
}

#[derive(Differentiable)]
struct Gates<'a> {
    w: [&'a [f64]; 2],
}

#[differentiable]
impl<'a> Gates<'a> {
    fn new(cursor: &mut Cursor<'a>) -> Self {
        Gates {
            w: [cursor.take(2), cursor.take(1)],
        }
    }

    fn value(&self, k: usize) -> f64 {
        self.w[k][0] * self.w[1][0].sin() + self.w[0][1]
    }
}

#[differentiable]
fn gated(x: &[f64]) -> f64 {
    let mut cursor = Cursor { rest: x };
    let gates = Gates::new(&mut cursor);
    gates.value(0) * gates.value(1) + cursor.rest[0]
}

#[test]
fn lists_of_references_in_structs_that_borrow() {
    scalar!(gated).row(337).check(&POINTS);
}

#[differentiable]
fn side_by_side(x: &[f64]) -> f64 {
    let a = [[x[0], x[1]], [x[2], 1.0]];
    let mut b = vec![vec![x[1] * x[0], 2.0], vec![x[2], x[0]]];
    for (p, q) in b.iter_mut().flatten().zip(a.iter().flatten()) {
        *p += *q;
    }
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.map(|(p, q)| (p - q).powi(2)).sum::<f64>() + b[0][0] * b[1][0]
}

#[test]
fn elements_of_rows_side_by_side() {
    scalar!(side_by_side).row(357).check(&POINTS);
}
