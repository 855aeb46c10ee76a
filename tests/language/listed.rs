//! Lists of references to sequences, arrays of vectors, and constants that are made and lent.

#![allow(
    clippy::all,
    clippy::unwrap_used,
    unreachable_pub,
    reason = "the constructs under test, as users write them"
)]

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.3, -0.4, 0.2], &[1.2, 0.4, 0.9, -1.1]];

// ---- lists of references, arrays of vectors ----

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

// ---- constants that are made, and lent to constant parameters ----

#[differentiable]
fn misfit(x: &[f64], #[constant] d: &[f64]) -> f64 {
    let terms = x.iter().zip(d).map(|(x, d)| (x - d).powi(2) * d.exp());
    terms.sum()
}

#[differentiable]
fn bent(x: &[f64], #[constant] w: &[f64; 3]) -> f64 {
    (x[0] * w[0] + x[1] * w[1] * w[2]).sin() * x[0]
}

#[differentiable]
fn grid(x: &[f64], #[constant] nodes: &[[f64; 2]]) -> f64 {
    nodes.iter().map(|n| n[0] * (x[0] * n[1]).cos()).sum()
}

#[differentiable]
fn antithetic(x: &[f64], #[constant] d: &[f64]) -> f64 {
    let anti: Vec<f64> = d.iter().map(|v| -v).collect();
    misfit(x, &anti) + misfit(x, d)
}

/// The list changes between the calls, and goes to a parameter that is differentiated as well.
#[differentiable]
fn shifted(x: &[f64], #[constant] d: &[f64]) -> f64 {
    let mut a = d.to_vec();
    let mut sum = 0.0;
    for k in 0..3 {
        a[k % 2] += 0.5;
        sum += misfit(x, &a[..2]) * x[0] + dot(x, &a);
    }
    let w = [d[0], d[1] * 2.0, d[0].cos()];
    sum + bent(x, &w)
}

#[differentiable]
fn tables(x: &[f64], #[constant] d: &[f64]) -> f64 {
    let mut w = [0.0; 3];
    for k in 0..3 {
        w[k] = d[k % 2] * (k as f64 + 1.0);
    }
    let mean = d.iter().sum::<f64>() / d.len() as f64;
    let centred: Vec<f64> = d.iter().map(|v| v - mean).collect();
    let nodes: Vec<[f64; 2]> = centred.iter().map(|v| [*v, v * v]).collect();
    let mut sum = 0.0;
    for _ in 0..2 {
        sum += bent(x, &w) * misfit(x, &centred) + grid(x, &nodes);
    }
    sum
}

#[test]
fn constants_that_are_made_and_lent_to_constants() {
    let d = [0.3, -0.7];
    let d = &d[..];
    scalar!(antithetic::AD.with(d), |x: &[f64]| antithetic(x, d))
        .row(339)
        .check(&POINTS);
    scalar!(shifted::AD.with(d), |x: &[f64]| shifted(x, d))
        .row(339)
        .check(&POINTS);
    scalar!(tables::AD.with(d), |x: &[f64]| tables(x, d))
        .row(339)
        .check(&POINTS);
}

#[differentiable]
fn path(p: &[f64], #[constant] z: &[(f64, f64)]) -> f64 {
    let terms = z.iter().map(|&(a, b)| (a * p[0]).sin() * (b * p[1]).cos());
    terms.sum()
}

#[differentiable]
fn paired(p: &[f64], #[constant] draws: &[Vec<(f64, f64)>]) -> f64 {
    let mut sum = 0.0;
    for d in draws {
        let anti: Vec<(f64, f64)> = d.iter().map(|(a, b)| (-a, 0.5 - b)).collect();
        sum += 0.5 * (path(p, d) + path(p, &anti)).powi(2);
    }
    sum
}

#[test]
fn lists_of_tuples_of_constants_made_in_loops() {
    let draws = vec![vec![(0.1, 0.4), (0.7, -0.2)], vec![(1.1, 0.2)]];
    scalar!(paired::AD.with(&draws), |p: &[f64]| paired(p, &draws))
        .row(339)
        .takes_memory()
        .check(&POINTS);
}

// ---- constants beside structs and tuples ----

#[derive(Clone, Copy, Differentiable)]
struct Metres(f64);

#[derive(Clone, Copy, Differentiable)]
struct Speed(f64);

#[derive(Clone, Copy)]
struct Seconds(f64);

#[differentiable]
impl std::ops::Mul<Seconds> for Speed {
    type Output = Metres;
    fn mul(self, dt: Seconds) -> Metres {
        Metres(self.0 * dt.0)
    }
}

#[differentiable]
impl std::ops::Add for Metres {
    type Output = Metres;
    fn add(self, other: Metres) -> Metres {
        Metres(self.0 + other.0)
    }
}

#[differentiable]
fn moved(from: Metres, speed: Speed, #[constant] dt: Seconds) -> Metres {
    from + speed * dt
}

#[differentiable]
fn flight(x: &[f64]) -> f64 {
    let dt = Seconds(0.25);
    let mut at = Metres(x[0]);
    for k in 0..3 {
        let speed = Speed(x[1] - x[2] * k as f64);
        at = moved(at + speed * dt, Speed(at.0 * x[3]), dt);
    }
    at.0 * at.0
}

#[test]
fn operators_with_constants_of_ones_own_on_the_right() {
    scalar!(flight).row(340).check(&POINTS);
}

struct Maze {
    goal: (usize, usize),
}

#[differentiable]
fn walk(x: &[f64], #[constant] maze: &Maze) -> f64 {
    let mut sum = 0.0;
    for r in 0..2 {
        for c in 0..2 {
            if (r, c) == maze.goal {
                sum += x[3] * x[0];
            } else if maze.goal != (c, r) {
                sum += x[r] * x[c + 1];
            }
        }
    }
    sum
}

#[test]
fn tuples_compared_with_fields_of_constants() {
    let maze = Maze { goal: (1, 0) };
    scalar!(walk::AD.with(&maze), |x: &[f64]| walk(x, &maze))
        .row(341)
        .check(&POINTS);
}

// ---- functions that change the length of what they borrow ----

/// Elimination with a pivot in each column: rows change places.
#[differentiable]
fn solve(a: &mut Vec<Vec<f64>>, b: &mut Vec<f64>) {
    let n = b.len();
    for k in 0..n {
        let mut pivot = k;
        for r in k + 1..n {
            if a[r][k].abs() > a[pivot][k].abs() {
                pivot = r;
            }
        }
        if pivot != k {
            a.swap(pivot, k);
            b.swap(pivot, k);
        }
        for r in k + 1..n {
            let m = a[r][k] / a[k][k];
            for c in k..n {
                a[r][c] -= m * a[k][c];
            }
            b[r] -= m * b[k];
        }
    }
    for k in (0..n).rev() {
        for c in k + 1..n {
            b[k] -= a[k][c] * b[c];
        }
        b[k] /= a[k][k];
    }
}

#[differentiable]
fn remember(recent: &mut Vec<f64>, x: f64) {
    recent.push(x * x);
    if recent.len() > 3 {
        recent.remove(0);
    }
}

#[differentiable]
fn doubled(v: &mut Vec<f64>) {
    *v = v.iter().chain(v.iter()).map(|x| 2.0 * x).collect();
}

#[differentiable]
fn eliminated(x: &[f64]) -> f64 {
    let mut a = vec![
        vec![0.1 * x[0], 3.0 + x[1], 0.2],
        vec![4.0, 0.2 * x[1], x[2]],
        vec![0.1 * x[0] * x[1], 0.3 * x[2], 3.0],
    ];
    let mut b = vec![x[0], x[1], x[2]];
    solve(&mut a, &mut b);
    let mut recent = Vec::new();
    for k in 0..5 {
        remember(&mut recent, b[k % 3] + x[3]);
    }
    doubled(&mut recent);
    b[0] * b[1] + b[2] + recent.iter().sum::<f64>() * recent[4]
}

#[test]
fn functions_that_change_lengths_and_the_order_of_rows() {
    scalar!(eliminated).row(355).check(&POINTS);
}

// ---- bodies in the place of calls, and rows side by side ----

#[differentiable]
fn trapezoid(f: impl Fn(f64) -> f64, lo: f64, hi: f64) -> f64 {
    let h = hi - lo;
    let mut row = vec![h * (0.5 * (f(lo) + f(hi)))];
    row.extend(vec![f(lo + 0.5 * h); 2]);
    assert!(f(lo).is_finite());
    row.iter().sum()
}

#[differentiable]
fn elliptic(x: &[f64]) -> f64 {
    trapezoid(|t| (4.0 - x[0] * t.sin().powi(2)).sqrt(), 0.0, x[1])
}

#[test]
fn functions_that_are_given_in_macros() {
    scalar!(elliptic).row(356).check(&POINTS);
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
