//! Tables of tuples and lists of data structs: parts of them, windows, searches, comparisons, and functions of a module that make them.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1], &[1.3, 0.4]];

#[differentiable]
mod tables {
    const TABLE: [(f64, f64); 4] = [(0.1, 0.2), (0.3, 0.7), (0.5, 0.6), (0.8, 0.1)];

    pub fn parts(x: &[f64]) -> f64 {
        let times: Vec<f64> = TABLE.iter().map(|d| d.0).collect();
        let lowest = TABLE
            .iter()
            .enumerate()
            .min_by(|a, b| a.1.1.total_cmp(&b.1.1))
            .map_or(0, |(i, _)| i);
        let mut sum = times[1] * x[0] + TABLE[lowest].0 * x[1] * x[0];
        for pair in TABLE.windows(2) {
            let (dt, y) = (pair[1].0 - pair[0].0, pair[0].1);
            sum += (x[0] * dt).sin() * y;
        }
        let mut all = x.iter().zip(TABLE).peekable();
        while let Some((v, (a, b))) = all.next() {
            sum += v * v * a;
            if all.peek().is_none() {
                sum *= b;
            }
        }
        sum
    }

    pub fn groups(x: &[f64], #[constant] groups: &[Vec<(f64, f64)>]) -> f64 {
        let all: f64 = groups
            .iter()
            .flatten()
            .map(|&(t, y)| (x[0] * t).sin() * y)
            .sum();
        all * x[1]
    }
}

#[differentiable]
mod samples {
    #[derive(Clone, Copy, PartialEq)]
    enum Kind {
        Early,
        Late,
    }

    struct Sample {
        kind: Kind,
        time: f64,
    }

    impl Sample {
        fn is_late(&self) -> bool {
            self.kind == Kind::Late
        }

        fn misfit(&self, rate: f64) -> f64 {
            match self.kind {
                Kind::Early => self.time - rate,
                Kind::Late => (rate * self.time).sin(),
            }
        }
    }

    fn samples(n: usize) -> Vec<Sample> {
        let kind = |i| if i % 2 == 0 { Kind::Early } else { Kind::Late };
        let sample = |i| Sample {
            kind: kind(i),
            time: 0.3 + 0.2 * i as f64,
        };
        (0..n).map(sample).collect()
    }

    fn total(rate: f64, all: &[Sample]) -> f64 {
        all.iter().map(|s| s.misfit(rate).powi(2)).sum()
    }

    pub fn made(x: &[f64]) -> f64 {
        let all = samples(5);
        let late: f64 = (all.iter().filter(|s| s.is_late()))
            .map(|s| s.misfit(x[0] * x[1]))
            .sum();
        late + total(x[1], &all)
    }
}

#[differentiable]
mod bodies {
    #[derive(Clone, Copy, Debug)]
    struct V(f64, f64);

    #[derive(Clone, Debug)]
    pub struct Body {
        at: V,
        turn: [V; 2],
        pub mass: f64,
    }

    impl V {
        fn dot(self, o: V) -> f64 {
            self.0 * o.0 + self.1 * o.1
        }
    }

    pub fn moment(x: &[f64]) -> f64 {
        let body = Body {
            at: V(x[0], x[1]),
            turn: [V(x[1], 1.0), V(0.1, x[0])],
            mass: 2.0,
        };
        body.at.dot(body.turn[0]) * body.turn[1].dot(body.at) * body.mass
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Early,
    Late,
}

#[derive(Clone, Debug, Differentiable)]
struct Cell {
    #[constant]
    kind: Kind,
    level: f64,
}

#[differentiable]
impl Cell {
    fn is_late(&self) -> bool {
        self.kind == Kind::Late
    }

    fn is_like(&self, other: &Cell) -> bool {
        self.kind == other.kind
    }
}

#[differentiable]
fn compared(x: &[f64], one: &Cell, other: &Cell) -> f64 {
    let mut sum = one.level * x[0] + other.level * x[1];
    if one.is_like(other) {
        sum *= x[1];
    }
    if one.is_late() { sum.sin() } else { sum * x[0] }
}

#[test]
fn parts_of_tables() {
    let plain = |x: &[f64]| tables::parts(x);
    scalar!(tables::parts::AD, plain).row(275).check(&POINTS);
    let groups = [vec![(0.3, 0.5), (0.7, 1.1)], vec![(0.2, 0.9)]];
    let plain = |x: &[f64]| tables::groups(x, &groups);
    scalar!(tables::groups::AD.with(&groups), plain)
        .row(275)
        .check(&POINTS);
}

#[test]
fn functions_that_make_data() {
    scalar!(samples::made::AD, samples::made)
        .takes_memory()
        .row(276)
        .check(&POINTS);
}

#[test]
fn private_structs_in_public_ones() {
    scalar!(bodies::moment::AD, bodies::moment)
        .row(277)
        .check(&POINTS);
}

#[test]
fn constant_fields_that_are_compared() {
    let cells = [(Kind::Early, 0.4), (Kind::Late, 0.9)].map(|(kind, level)| Cell { kind, level });
    for one in &cells {
        for other in &cells {
            let f = compared::AD.fix_one(one).fix_other(other);
            scalar!(f, |x| compared(x, one, other))
                .row(278)
                .check(&POINTS);
        }
    }
}
