//! Constant structs in lists with computed ones.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7, 1.3], &[1.4, 0.6], &[0.3, 0.9]];

#[derive(Clone, Copy, Differentiable)]
struct Pt {
    x: f64,
    y: f64,
}

struct Path {
    start: Pt,
    all: Vec<Pt>,
}

#[differentiable]
fn track(x: &[f64], #[constant] start: Pt) -> f64 {
    let mut points = vec![start];
    for k in 0..3 {
        let last = points[k];
        points.push(Pt {
            x: last.x + x[0],
            y: x[1] * last.y,
        });
    }
    let steps = points.windows(2);
    steps
        .map(|w| (w[1].x - w[0].x).hypot(w[1].y - w[0].y))
        .sum()
}

#[differentiable]
fn ends(x: &[f64], #[constant] ends: (Pt, Pt)) -> f64 {
    let mut points = Vec::new();
    points.push(ends.0);
    points.push(Pt { x: x[0], y: x[1] });
    points.push(ends.1);
    points.iter().map(|p| p.x * p.y * x[0]).sum()
}

#[differentiable]
fn mixed(x: &[f64], #[constant] path: &Path) -> f64 {
    let mut points = vec![path.start, path.all[0]];
    for i in 0..2 {
        points.push(Pt { x: x[i], y: x[1] });
        points.push(path.all[i]);
    }
    points.insert(0, path.start);
    let mut both = [path.start, path.all[1]];
    both[0] = Pt { x: x[0], y: x[1] };
    let mut stack = vec![(path.start, 0)];
    stack.push((both[0], 1));
    let mut s = both[0].x * both[1].y;
    while let Some((q, k)) = stack.pop() {
        s += q.x * x[1] + q.y * k as f64;
    }
    s + points.iter().map(|p| p.x * p.y * x[0]).sum::<f64>()
}

#[test]
fn constant_structs_in_lists() {
    let start = Pt { x: 0.2, y: 0.4 };
    let path = Path {
        start,
        all: vec![Pt { x: 3.0, y: 1.0 }, Pt { x: 0.3, y: 0.7 }],
    };
    scalar!(track::AD.with(start), |x: &[f64]| track(x, start))
        .row(568)
        .check(&POINTS);
    let both = (start, path.all[0]);
    scalar!(ends::AD.with(both), |x: &[f64]| ends(x, both))
        .row(568)
        .check(&POINTS);
    scalar!(mixed::AD.with(&path), |x: &[f64]| mixed(x, &path))
        .row(568)
        .check(&POINTS);
}
