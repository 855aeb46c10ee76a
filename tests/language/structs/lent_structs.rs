//! Structs that are copied out of constants, lent and changed there; and structs beside constants of type parameters.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7, 1.3], &[1.2, -0.4], &[-0.5, 0.8]];

#[derive(Clone, Debug, Differentiable)]
struct Part {
    place: f64,
    speed: f64,
}

const START: [Part; 2] = [
    Part {
        place: 0.3,
        speed: 1.2,
    },
    Part {
        place: -0.7,
        speed: 0.4,
    },
];

#[differentiable]
fn run(k: f64, parts: &mut [Part]) -> f64 {
    for p in parts.iter_mut() {
        p.place += p.speed * k;
        p.speed *= k;
    }
    parts[0].place
}

#[differentiable]
fn slowed(k: f64, parts: &mut Vec<Part>) -> Option<f64> {
    for i in 0..parts.len() {
        parts[i].speed *= k;
    }
    Some(parts[1].place * parts[0].speed)
}

#[differentiable]
fn moved(x: &[f64], #[constant] start: &[Part]) -> f64 {
    let mut parts: Vec<Part> = start.to_vec();
    let first = run(x[0], &mut parts);
    let mut sum = 0.0;
    for _ in 0..3 {
        let next = run(x[1] * x[0], &mut parts);
        sum += next;
        if let Some(end) = slowed(x[0], &mut parts) {
            sum *= end;
        }
    }
    first + parts[0].place * sum
}

#[differentiable]
fn summed(x: &[f64], #[constant] start: &[Part]) -> f64 {
    let mut parts = start.to_vec();
    let all: f64 = parts
        .iter_mut()
        .map(|p| {
            p.place *= x[0];
            p.place * x[1]
        })
        .sum();
    let last = run(x[1], &mut parts[1..]);
    all * last + parts[1].speed
}

#[test]
fn copies_of_constant_lists_that_are_lent() {
    scalar!(moved::AD.with(&START), |x: &[f64]| moved(x, &START))
        .row(463)
        .check(&POINTS);
    scalar!(summed::AD.with(&START), |x: &[f64]| summed(x, &START))
        .row(463)
        .check(&POINTS);
}

#[derive(Clone, Debug, Differentiable)]
struct Grid {
    n: usize,
    cells: Vec<f64>,
}

#[differentiable]
impl Grid {
    fn filled(n: usize, v: f64) -> Self {
        Grid {
            n,
            cells: vec![v; n],
        }
    }

    fn mean(&self) -> f64 {
        self.cells.iter().sum::<f64>() * self.cells[0] / self.n as f64
    }

    fn scale(&mut self, by: f64) {
        for c in self.cells.iter_mut() {
            *c *= by;
        }
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Sim {
    field: Grid,
    rate: f64,
}

#[differentiable]
impl Sim {
    fn new(rate: f64, n: usize) -> Sim {
        let field = Grid::filled(n, rate + 1.0);
        Sim { field, rate }
    }
}

#[differentiable]
fn parts(x: &[f64]) -> f64 {
    let mut s = Sim::new(x[0], 3);
    let before = s.field.mean();
    for _ in 0..2 {
        s.field.scale(x[1]);
    }
    before * s.field.mean() * s.rate
}

#[test]
fn methods_of_parts_of_what_others_make() {
    scalar!(parts).takes_memory().row(464).check(&POINTS);
}

#[derive(Clone, Debug, Differentiable)]
struct Collector {
    weight: f64,
}

#[differentiable]
impl Collector {
    fn feed(&self, out: &mut Vec<f64>, x: f64) {
        out.push(x * self.weight);
    }

    fn feed_twice(&self, out: &mut Vec<f64>, x: f64) {
        self.feed(out, x);
        self.feed(out, x * x);
    }

    fn turn(&self, rows: &mut Vec<Vec<f64>>) {
        rows.swap(0, 1);
        rows[0].push(self.weight);
    }
}

#[differentiable]
fn collected(x: &[f64]) -> f64 {
    let of = Collector { weight: x[0] };
    let mut all = Vec::new();
    for i in 0..3 {
        of.feed_twice(&mut all, x[1] + i as f64);
    }
    let mut rows = vec![vec![x[0]], vec![x[1], 1.0]];
    of.turn(&mut rows);
    all.iter().map(|v| v * v).sum::<f64>() * rows[0][2] + rows[0][0] * rows[1][0]
}

#[test]
fn methods_that_change_vectors_that_they_borrow() {
    scalar!(collected).row(465).check(&POINTS);
}

trait Payoff {
    fn value(&self, s: f64) -> f64;
}

#[derive(Clone, Copy)]
struct Put;

#[derive(Clone, Copy)]
struct Power(i32);

#[differentiable]
impl Payoff for Put {
    fn value(&self, s: f64) -> f64 {
        (2.0 - s).max(0.0)
    }
}

#[differentiable]
impl Payoff for Power {
    fn value(&self, s: f64) -> f64 {
        s.powi(self.0)
    }
}

#[derive(Clone, Copy, Differentiable)]
struct Market {
    spot: f64,
    vol: f64,
}

#[differentiable]
fn price<P: Payoff>(m: &Market, #[constant] payoff: &P) -> f64 {
    payoff.value(m.spot) * m.vol
}

#[differentiable]
fn priced(x: &[f64]) -> f64 {
    let m = Market {
        spot: x[0],
        vol: x[1],
    };
    let up = Market {
        spot: x[0] * x[1],
        ..m
    };
    price(&m, &Put) + price(&up, &Power(3))
}

#[test]
fn structs_beside_constants_of_type_parameters() {
    scalar!(priced).row(466).check(&POINTS);
}
