//! Data that is constant, of types that nobody annotated, as it is taken apart, iterated and handed on.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4, 1.3], &[1.2, 0.4, 0.9, 0.8]];

const WEIGHTS: [f64; 4] = [1.0, 2.0, 4.0, -1.0];
static OTHERS: &[f64] = &[0.5, 2.0, -4.0, 1.0];

struct Edge {
    from: usize,
    measured: [f64; 3],
    weights: (f64, f64),
}

struct Record {
    input: Vec<f64>,
    count: u32,
}

fn edges() -> [Edge; 2] {
    [0, 2].map(|from| Edge {
        from,
        measured: [0.1, 0.5 * from as f64, -0.3],
        weights: (1.5, 0.4),
    })
}

fn record() -> Record {
    Record {
        input: vec![0.4, -0.7, 1.1, 0.2],
        count: 3,
    }
}

// ---- constants that become arguments ----

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn lifted(x: &[f64], record: &Record) -> f64 {
    dot(x, &WEIGHTS).sin() + dot(x, OTHERS) * dot(&record.input, x)
}

#[differentiable]
fn apply(#[constant] rows: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    let row = |row: &Vec<f64>| row.iter().zip(x).map(|(a, b)| a * b).sum();
    rows.iter().map(row).collect()
}

#[differentiable]
fn applied_twice(x: &[f64], #[constant] rows: &[Vec<f64>]) -> f64 {
    let once = apply(rows, x);
    let twice = apply(rows, &once);
    twice.iter().map(|v| v * v).sum()
}

#[test]
fn constants_become_arguments() {
    let (record, rows) = (
        record(),
        [vec![1.0, 0.5, -0.2, 0.1], vec![0.3, -1.0, 2.0, 0.7]],
    );
    scalar!(lifted::AD.with(&record), |x| lifted(x, &record))
        .rows(&[102])
        .check(&POINTS);
    let rows: Vec<Vec<f64>> = rows.iter().chain(&rows).cloned().collect();
    scalar!(applied_twice::AD.with(&rows), |x| applied_twice(x, &rows)).check(&POINTS);
}

// ---- taken apart ----

#[differentiable]
fn residuals(x: &[f64], edges: &[Edge]) -> f64 {
    let mut sum = 0.0;
    for edge in edges {
        let [a, b, c] = edge.measured;
        let (v, w) = edge.weights;
        sum += v * (x[edge.from] - a).powi(2) + x[0] * b + (x[1] - c).powi(3) * w;
    }
    sum
}

#[test]
fn constant_arrays_are_taken_apart() {
    let edges = edges();
    scalar!(residuals::AD.with(&edges), |x| residuals(x, &edges)).check(&POINTS);
}

// ---- iterated ----

#[differentiable]
fn joined(x: &[f64], record: &Record) -> f64 {
    let first: f64 = record
        .input
        .iter()
        .zip(&x[1..])
        .map(|(a, b)| a * b * b)
        .sum();
    let mut sum = first;
    for (u, v) in x.iter().zip(&record.input) {
        sum += u * v;
    }
    for v in &record.input {
        sum += v * x[0] * x[1];
    }
    sum * f64::from(record.count)
}

#[differentiable]
fn predicted(x: &[f64], record: &Record) -> f64 {
    let mut y = record.input[..2].to_vec();
    for t in 2..record.input.len() {
        let v = x[0] * y[t - 1] - x[1] * y[t - 2] * y[t - 2] + x[2] * record.input[t];
        y.push(v);
    }
    y[2] * y[3]
}

#[test]
fn constant_vectors_are_iterated_and_go_on() {
    let record = record();
    scalar!(joined::AD.with(&record), |x| joined(x, &record)).check(&POINTS);
    scalar!(predicted::AD.with(&record), |x| predicted(x, &record))
        .takes_memory()
        .check(&POINTS);
}

// ---- lists of one's own enums ----

#[derive(Clone, Copy)]
enum Stage {
    Square,
    Cube,
    Scaled(f64),
}

#[differentiable]
fn staged(kind: Stage, t: f64) -> f64 {
    match kind {
        Stage::Square => t * t,
        Stage::Cube => t * t * t,
        Stage::Scaled(k) => k * t.sin(),
    }
}

#[differentiable]
fn in_stages(x: &[f64]) -> f64 {
    let stages = [Stage::Square, Stage::Cube, Stage::Scaled(0.3)];
    let mut sum = 0.0;
    for (kind, tau) in stages.iter().zip(x) {
        sum += staged(*kind, *tau) * x[3];
    }
    sum
}

struct Layout {
    last: usize,
    inner: Stage,
}

#[differentiable]
fn chosen_by_place(x: &[f64], layout: &Layout) -> f64 {
    let mut sum = 0.0;
    for l in 0..4 {
        let stage = if l == layout.last {
            Stage::Cube
        } else if l == 0 {
            Stage::Scaled(1.5)
        } else {
            layout.inner
        };
        sum += staged(stage, x[l]) * x[0];
    }
    sum
}

#[test]
fn enums_are_listed_and_chosen() {
    scalar!(in_stages).rows(&[61]).check(&POINTS);
    let layout = Layout {
        last: 3,
        inner: Stage::Square,
    };
    scalar!(chosen_by_place::AD.with(&layout), |x| chosen_by_place(
        x, &layout
    ))
    .check(&POINTS);
}

#[differentiable]
mod link {
    #[derive(Clone, Copy)]
    pub(super) enum Link {
        Identity,
        Log,
    }

    impl Link {
        fn inverse(&self, eta: f64) -> f64 {
            match self {
                Self::Identity => eta,
                Self::Log => eta.exp(),
            }
        }
    }

    /// Borrows a parameter that it has by value.
    pub(super) fn total(x: &[f64], #[constant] y: &[f64], link: Link) -> f64 {
        x.iter()
            .zip(y)
            .map(|(x, y)| (link.inverse(x * 0.7) - y).powi(2))
            .sum()
    }
}

#[test]
fn methods_borrow_parameters_by_value() {
    use link::{Link, total};
    for kind in [Link::Identity, Link::Log] {
        scalar!(total::AD.with(&WEIGHTS, kind), |x| total(x, &WEIGHTS, kind)).check(&POINTS);
    }
}

// ---- structs out of constants, and defaults ----

#[differentiable]
mod drive {
    #[derive(Clone, Copy)]
    pub(super) struct Pose {
        pub(super) x: f64,
        pub(super) heading: f64,
    }

    pub(super) struct Problem {
        pub(super) start: Pose,
        pub(super) goal: (f64, f64),
        pub(super) obstacle: Option<(f64, f64)>,
    }

    fn step(p: Pose, v: f64) -> Pose {
        Pose {
            x: p.x + v * p.heading.cos(),
            heading: p.heading + v,
        }
    }

    pub(super) fn cost(u: &[f64], #[constant] problem: &Problem) -> f64 {
        let mut pose = problem.start;
        for v in u {
            pose = step(pose, *v);
        }
        let (a, b) = problem.goal;
        let mut cost = (pose.x - a).powi(2) + (pose.heading - b).powi(2);
        if let Some((at, size)) = problem.obstacle {
            cost += (-(pose.x - at).powi(2) / size).exp();
        }
        cost
    }
}

#[derive(Clone, Copy, Default, Differentiable)]
struct Cell {
    leaf: f64,
    wood: [f64; 2],
    soil: f64,
}

#[differentiable]
fn pools(x: &[f64]) -> f64 {
    let mut p = Cell {
        leaf: x[2],
        ..Default::default()
    };
    p.soil += x[0] * x[1];
    let mut q: Cell = Default::default();
    q.wood[1] = p.soil * x[3];
    p.leaf * p.soil + p.wood[1] + q.leaf + q.wood[1]
}

#[test]
fn structs_begin_with_constants() {
    let problem = drive::Problem {
        start: drive::Pose {
            x: 0.1,
            heading: 0.4,
        },
        goal: (1.0, 0.2),
        obstacle: Some((0.7, 0.3)),
    };
    scalar!(drive::cost::AD.with(&problem), |u| drive::cost(u, &problem)).check(&POINTS);
    scalar!(pools).rows(&[123]).check(&POINTS);
}

// ---- iterators ----

#[differentiable]
fn collected_slices(x: &[f64]) -> f64 {
    let knots: Vec<&[f64]> = x.chunks(2).collect();
    let rows = x.windows(3).collect::<Vec<_>>();
    let mut sum = knots[0][1] * knots[1][0];
    for pair in knots.windows(2) {
        sum += pair[0][0] * pair[1][1] * rows[1][2] + dot(pair[0], pair[1]);
    }
    sum += dot(knots[1], rows[0]) + dot(&knots[0][1..], rows[1]);
    sum
}

#[differentiable]
fn around(x: &[f64], #[constant] winds: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (u, wind) in x.iter().zip(winds.iter().cycle()) {
        sum += u * u * wind;
    }
    let again: f64 = x.iter().cycle().take(7).map(|v| v.sin()).sum();
    sum + again * x.iter().zip(winds[..0].iter().cycle()).count() as f64 + again
}

#[differentiable]
fn last_places(x: &[f64], #[constant] seen: &[bool]) -> f64 {
    let last = seen.iter().rposition(|s| *s).unwrap();
    let big = x.iter().rposition(|v| *v > 0.85).unwrap_or(0);
    let none = x.iter().rposition(|v| *v > 8.0);
    let scale = if none.is_none() { 2.0 } else { 1.0 };
    scale * x[last] * x[big] * x[0]
}

#[test]
fn slices_are_collected_and_iterators_go_around() {
    scalar!(collected_slices).rows(&[52]).check(&POINTS);
    let winds = [0.3, -0.7, 1.1];
    scalar!(around::AD.with(&winds), |x| around(x, &winds))
        .rows(&[47])
        .check(&POINTS);
    let seen = [true, false, true, false];
    scalar!(last_places::AD.with(&seen), |x| last_places(x, &seen)).check(&POINTS);
}
