//! What items hand on to other modules: signatures without aliases and lengths that only the module can name; and
//! constants, methods and functions that are read from the file.

use blocks::{Ekf, scaled};
use di::prelude::*;
use di_test::scalar;
use filters::Filter;
use std::cmp::Reverse;
use std::ops::{Add, Mul};

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9], &[0.2, 0.37, 0.55]];

#[differentiable]
mod filters {
    const ORDER: usize = 1;
    const STATES: usize = 2 * ORDER;
    type State = [f64; STATES];

    #[derive(Clone)]
    pub(super) struct Filter {
        pub(super) x: State,
        pub(super) p: [[f64; STATES]; STATES],
    }

    impl Filter {
        pub(super) fn new(x: State, p: f64) -> Filter {
            Filter {
                x,
                p: [[p, 0.0], [0.0, p]],
            }
        }

        pub(super) fn predict(&mut self, dt: f64) {
            self.x[0] += dt * self.x[1];
            for i in 0..STATES {
                self.p[i][i] += dt * self.p[i][0] * self.x[i];
            }
        }

        pub(super) fn variances(&self) -> State {
            std::array::from_fn(|i| self.p[i][i] * self.x[i])
        }
    }

    pub(super) fn doubled(x: State) -> State {
        x.map(|v| 2.0 * v)
    }
}

enum Event {
    Predict { dt: f64 },
    Halve,
}

const EVENTS: [Event; 3] = [
    Event::Predict { dt: 0.2 },
    Event::Halve,
    Event::Predict { dt: 0.3 },
];

#[differentiable]
fn replayed(x: &[f64], #[constant] events: &[Event]) -> f64 {
    let start = || Filter::new([1.0, x[0]], x[1]);
    let mut filter = start();
    for event in events {
        match event {
            Event::Predict { dt } => filter.predict(*dt),
            Event::Halve => filter.x[1] *= 0.5 * x[2],
        }
    }
    let v = filter.variances();
    let w = filters::doubled(v);
    v.iter().sum::<f64>() + w[1]
}

#[test]
fn aliases_and_lengths_of_a_module() {
    scalar!(replayed::AD.with(&EVENTS), |x| replayed(x, &EVENTS))
        .row(324)
        .check(&POINTS);
}

mod blocks {
    use di::prelude::*;

    pub(super) const N: usize = 2;
    type Vector = [f64; N];

    #[derive(Clone, Differentiable)]
    pub(super) struct Ekf {
        pub(super) x: Vector,
        q: f64,
    }

    #[differentiable]
    impl Ekf {
        pub(super) fn new(x: Vector, q: f64) -> Ekf {
            Ekf { x, q }
        }

        pub(super) fn mean(&self) -> [f64; N] {
            self.x.map(|v| v * self.q)
        }
    }

    #[differentiable]
    pub(super) fn scaled(x: Vector, q: f64) -> [f64; N] {
        x.map(|v| v * q)
    }
}

#[differentiable]
fn of_blocks(x: &[f64]) -> f64 {
    let filter = Ekf::new([1.0, x[0]], x[1]);
    let mean = filter.mean();
    let s = scaled(mean, x[2]);
    s.iter().sum::<f64>() + mean[1] * filter.x[1]
}

#[test]
fn aliases_and_lengths_of_blocks() {
    scalar!(of_blocks).row(324).check(&POINTS);
}

#[derive(Clone, Copy, Differentiable)]
struct C {
    re: f64,
    im: f64,
}

const ONE: C = C { re: 1.0, im: 0.0 };

static TABLE: [C; 2] = [C { re: 1.0, im: 0.5 }, C { re: 0.2, im: 0.0 }];

#[differentiable]
impl Mul for C {
    type Output = C;

    fn mul(self, o: C) -> C {
        C {
            re: self.re * o.re - self.im * o.im,
            im: self.re * o.im + self.im * o.re,
        }
    }
}

#[differentiable]
impl Add for C {
    type Output = C;

    fn add(self, o: C) -> C {
        C {
            re: self.re + o.re,
            im: self.im + o.im,
        }
    }
}

#[differentiable]
fn cis(t: f64) -> C {
    C {
        re: t.cos(),
        im: t.sin(),
    }
}

// the type of the constants is not named
#[differentiable]
fn of_constants(x: &[f64]) -> f64 {
    let mut m = [[ONE, ONE], [ONE, ONE]];
    m[0][1] = cis(x[0]);
    let z = x.iter().fold(ONE, |all, t| all * cis(*t));
    let mut sum = vec![ONE; 2][1];
    for (k, w) in TABLE.iter().enumerate() {
        sum = sum + *w * cis(x[k]) * m[k][1];
    }
    let q = TABLE[1] * z + sum;
    q.re * q.re + q.im
}

#[test]
fn constants_of_derived_structs() {
    scalar!(of_constants).row(325).check(&POINTS);
}

struct Rod {
    length: f64,
    nodes: Vec<usize>,
}

impl Rod {
    fn len(&self) -> f64 {
        self.length
    }

    fn is_empty(&self, times: usize) -> f64 {
        self.length * times as f64
    }

    fn nodes(&self) -> &[usize] {
        &self.nodes
    }
}

#[differentiable]
fn stiffness(x: f64, #[constant] h: f64) -> f64 {
    x * x / h
}

#[differentiable]
fn of_rod(x: &[f64], #[constant] rod: &Rod) -> f64 {
    let l = rod.len();
    let n = rod.nodes().len();
    stiffness(x[0], rod.len()) * x[1] * l + rod.is_empty(3) * x[2].powi(n as i32)
}

#[test]
fn methods_that_are_named_like_those_of_std() {
    let rod = Rod {
        length: 0.3,
        nodes: vec![1, 4, 2],
    };
    scalar!(of_rod::AD.with(&rod), |x| of_rod(x, &rod))
        .row(326)
        .check(&POINTS);
}

#[derive(Clone, Differentiable)]
struct Mechanism {
    species: Vec<usize>,
    rate: f64,
}

#[differentiable]
impl Mechanism {
    fn index(&self, name: usize) -> Option<usize> {
        self.species.iter().position(|s| *s == name)
    }

    // nobody asked for derivatives of these, and they have none
    fn names(&self) -> Vec<String> {
        let all = self.species.iter().map(|s| (*s, format!("S{s}")));
        let sorted: std::collections::BTreeMap<usize, String> = all.collect();
        sorted.into_values().collect()
    }

    fn production(&self, x: f64) -> f64 {
        self.rate * x.sin() * self.index(3).map_or(1.0, |k| k as f64)
    }
}

#[differentiable]
fn of_mechanism(x: &[f64]) -> f64 {
    let mechanism = Mechanism {
        species: vec![1, 2, 3],
        rate: x[0] * x[1],
    };
    mechanism.production(x[2])
}

#[test]
fn methods_without_a_derivative() {
    let mechanism = Mechanism {
        species: vec![3, 1],
        rate: 1.0,
    };
    assert_eq!(mechanism.names(), ["S1", "S3"]);
    scalar!(of_mechanism).row(327).takes_memory().check(&POINTS);
}

#[derive(Clone, Debug, PartialEq)]
enum Failure {
    Shape(usize, usize),
    Singular { column: usize },
}

#[derive(Clone, Differentiable)]
struct Lower {
    n: usize,
    a: Vec<f64>,
}

#[differentiable]
impl Lower {
    fn solve(&self, b: &[f64]) -> Result<f64, Failure> {
        if b.len() != self.n {
            return Err(Failure::Shape(b.len(), self.n));
        }
        if b[0] == 0.0 {
            return Err(Failure::Singular { column: self.n });
        }
        Ok(self.a[0] * b[0] + self.a[1] * b[1].sin())
    }
}

#[differentiable]
fn solved(x: &[f64]) -> f64 {
    let lower = Lower {
        n: x.len(),
        a: x.to_vec(),
    };
    lower.solve(x).unwrap() + lower.solve(&x[1..]).unwrap_or(x[2])
}

#[test]
fn errors_with_lengths() {
    scalar!(solved).row(328).takes_memory().check(&POINTS);
}

#[differentiable]
fn searched(x: &[f64], #[constant] nest: &[usize], #[constant] y: &[f64]) -> f64 {
    let own = vec![0usize, 2];
    let mut seen = Vec::new();
    let mut sum = if nest.contains(&3) { x[0] } else { x[1] * x[1] };
    for k in 0..4 {
        if own.contains(&k) {
            sum += x[0] * x[0] * k as f64;
        }
        if [0, 1].contains(&k) {
            sum *= x[1];
        }
        if !seen.contains(&(k % 2)) {
            seen.push(k % 2);
            sum += x[2].sin();
        }
    }
    if y.contains(&0.5) && !x.contains(&0.5) {
        sum *= x[2];
    }
    sum
}

#[test]
fn what_a_sequence_contains() {
    for (nest, y) in [(&[1, 3][..], [0.5]), (&[1], [0.3])] {
        scalar!(searched::AD.with(nest, &y), |x| searched(x, nest, &y))
            .row(329)
            .check(&POINTS);
    }
}

#[differentiable]
fn second(v: &[(usize, f64)]) -> f64 {
    v[1].1 * v[1].1 * v[1].0 as f64 + v[0].1
}

#[differentiable]
fn ordered(x: &[f64]) -> f64 {
    let mut t = vec![
        (2usize, 1usize, x[0]),
        (0, 3, x[1]),
        (0, 1, x[2]),
        (2, 1, x[0] * x[1]),
    ];
    let (mut u, mut v, mut w) = (t.clone(), t.clone(), t.clone());
    t.sort_by_key(|t| (t.0, t.1));
    u.sort_by(|a, b| (a.1, a.0).cmp(&(b.1, b.0)));
    v.sort_by_key(|&(i, j, _)| (i, Reverse(j)));
    w.sort_by_key(|t| Reverse((t.0, t.1)));
    let mut sum = second(&[(0, x[0]), (1, x[1] * x[0])]);
    let mut last = None;
    for (k, (i, j, a)) in t.into_iter().enumerate() {
        if last == Some((i, j)) {
            sum += 3.0 * a * a;
        }
        last = Some((i, j));
        let k = (k + 1) as f64;
        sum += a * k * u[0].2.sin() + v[1].2 * v[2].2 * k + w[3].2 * w[0].2 * k;
    }
    sum
}

#[test]
fn sorted_by_tuples() {
    scalar!(ordered).row(330).check(&POINTS);
}

#[derive(Differentiable)]
struct Cell<const H: usize> {
    w: [[f64; H]; H],
    u: [f64; H],
}

#[differentiable]
impl<const H: usize> Cell<H> {
    fn step(&self, h: &[f64; H], x: f64) -> [f64; H] {
        std::array::from_fn(|i| (0..H).map(|j| self.w[i][j] * h[j]).sum::<f64>() + self.u[i] * x)
    }
}

#[differentiable]
fn of_cells(x: &[f64]) -> f64 {
    let cell = Cell {
        w: [[x[0], x[1]], [x[1], x[2]]],
        u: [x[0], 1.0],
    };
    let mut h = [0.0; 2];
    for t in 0..3 {
        let z = cell.step(&h, 0.3 * t as f64).map(|v| v.tanh());
        h = cell.step(&z, 0.1);
    }
    h[0] * h[1]
}

#[test]
fn structs_that_are_named_like_those_of_std() {
    scalar!(of_cells).row(326).check(&POINTS);
}

#[differentiable]
fn concat(a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut all = a.to_vec();
    all.extend(b.iter());
    all
}

#[differentiable]
fn line(p: &[f64], t: f64) -> [f64; 2] {
    [p[0] + p[1] * t, p[1]]
}

#[differentiable]
fn column(m: &[[f64; 2]; 2], j: usize) -> [f64; 2] {
    [m[0][j], m[1][j]]
}

#[differentiable]
fn optimize<F: Fn(f64) -> f64>(slope: F, x: f64) -> f64 {
    let mut y = x;
    for _ in 0..3 {
        y -= 0.1 * slope(y);
    }
    y
}

#[differentiable]
fn of_macros(x: &[f64]) -> f64 {
    let all = concat(x, &[x[0] * x[1]]);
    let l = line(x, 0.3);
    let c = column(&[[x[0], x[1]], [x[2], 1.0]], 0);
    let z: Vec<f64> = concat(&all, &l).iter().map(|v| v.sin()).collect();
    z.iter().sum::<f64>() + c[1] * l[0] * all[3] + optimize(|v| v * v * x[2], x[0])
}

#[test]
fn functions_that_are_named_like_macros_of_std() {
    scalar!(of_macros).row(336).check(&POINTS);
}
