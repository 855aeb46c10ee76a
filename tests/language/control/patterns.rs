//! Patterns: of arrays, slices, tuples, references, constants, alternatives.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 4] = [
    &[0.7, 1.1, -0.4],
    &[-1.2, 0.4, 0.9],
    &[0.8, -0.1, 0.2],
    &[1.9, 1.3, 0.3],
];

#[differentiable]
fn slices(x: &[f64]) -> f64 {
    let [a, b, c] = [x[0] * x[1], x[1], x[2]];
    let inner = match x {
        [] => 0.0,
        [one] => *one,
        [first, .., last] if *first > 0.0 => first * last,
        [first, rest @ ..] => first + rest[0] * rest[1],
    };
    let [.., u, v] = x else { return a };
    let tail = if let [_, tail @ ..] = x { tail[1] } else { 0.0 };
    a * inner + b * c + u * v + tail
}

#[test]
fn slices_and_arrays_taken_apart() {
    scalar!(slices).rows(&[6, 9]).step(0.05).check(&POINTS);
    let shorter: [&[f64]; 2] = [&[0.3, 0.2], &[-0.3, 0.2]];
    scalar!(pairs_of).step(0.05).check(&shorter);
}

#[differentiable]
fn pairs_of(x: &[f64]) -> f64 {
    match *x {
        [a, b] if a > 0.0 => a * b * b,
        [a, b] => a.sin() - b,
        _ => 0.0,
    }
}

#[differentiable]
fn references(x: &[f64]) -> f64 {
    let pair = (x[0] * x[1], [x[1], x[2]]);
    let (ref a, [b, ref c]) = pair;
    let &(d, _) = &pair;
    let mut moving = [x[0], x[1], 0.5];
    for i in 0..3 {
        let [first, .., last] = &mut moving;
        *first += last.sin() * x[i];
        *last *= *first;
        let [_, ref mut middle, _] = moving;
        *middle -= x[0];
    }
    let [p, q @ .., r] = &moving;
    a * b + c * d + p * q[0] + r
}

#[test]
fn names_bound_by_reference() {
    scalar!(references).rows(&[8]).check(&POINTS);
}

#[differentiable]
fn swapped_by_patterns(x: &[f64], y: &mut [f64]) {
    let mut grid = [[x[0], x[1]], [x[1] * x[2], 1.0]];
    let [[a, b], [c, _]] = grid;
    grid[0][0] = b * c;
    grid[1] = [a, grid[0][0]];
    let [row, [_, corner]] = &mut grid;
    row[1] += *corner;
    *corner *= x[2];
    if let [first, second, ..] = y {
        *first = grid[0][0] + grid[0][1];
        *second = grid[1][0] * grid[1][1];
    }
}

#[test]
fn nested_patterns_of_arrays() {
    inplace!(swapped_by_patterns, 2).rows(&[6]).check(&POINTS);
    inplace!(swapped_by_patterns, 3).check(&POINTS);
}

const LIMIT: usize = 4;

mod table {
    pub(super) const START: i32 = -1;
}

#[differentiable]
fn integers(x: &[f64], n: usize, k: i32) -> f64 {
    let mut s = x[0];
    for i in 0..n {
        s = match (i, i % 2 == 0) {
            (0, _) => s * x[1],
            (LIMIT | 7, _) => s + x[2],
            (m @ 1..=3, true) => s - x[0] * m as f64,
            (1..=3, false) => s.sin(),
            (m, even) if even => s + x[1] * m as f64,
            _ => s * 0.9,
        };
    }
    match k {
        i32::MIN..table::START => s,
        table::START => s * s,
        0 => s * x[0],
        other @ (1 | 2) => s * other as f64,
        _ => {
            let t = s * x[2];
            t * t
        }
    }
}

#[test]
fn integers_ranges_and_constants() {
    for (n, k) in [(0, -4), (3, -1), (6, 0), (8, 1), (5, 2), (9, 9)] {
        scalar!(integers::AD.with(n, k), |x| integers(x, n, k))
            .rows(&[8, 60, 63])
            .check(&POINTS);
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Flat,
    Scaled(f64),
    Shifted { by: f64, times: usize },
}

struct Model {
    kinds: Vec<Kind>,
    limit: Option<f64>,
}

#[differentiable]
fn constants(x: &[f64], #[constant] model: &Model, #[constant] first: Kind) -> f64 {
    let mut s: f64 = match first {
        Kind::Flat => x[0],
        Kind::Scaled(f) if f > 1.0 => x[0] * f,
        Kind::Scaled(_) => x[1],
        Kind::Shifted { by, times } => x[0] * times as f64 + by,
    };
    for i in 0..model.kinds.len() {
        s = match model.kinds[i] {
            Kind::Flat => s,
            Kind::Scaled(factor) => s * factor + x[1],
            Kind::Shifted { by, .. } => (s + by).sin(),
        };
        if matches!(model.kinds[i], Kind::Flat | Kind::Shifted { .. }) && first != Kind::Flat {
            s *= x[2];
        }
    }
    if let Some(limit) = model.limit
        && s > limit
    {
        s = limit * x[1];
    }
    s
}

#[test]
fn constants_of_foreign_types_are_looked_into() {
    let shifted = Kind::Shifted { by: 0.2, times: 3 };
    let model = Model {
        kinds: vec![Kind::Scaled(1.3), Kind::Flat, shifted],
        limit: Some(0.9),
    };
    for first in [Kind::Flat, Kind::Scaled(2.0), Kind::Scaled(0.1), shifted] {
        scalar!(constants::AD.with(&model, first), |x| constants(
            x, &model, first
        ))
        .rows(&[61, 62, 63])
        .step(0.02)
        .check(&POINTS);
    }
}

#[differentiable]
fn floats(x: &[f64]) -> f64 {
    let piece = match x[0] {
        t if t < -1.0 => t * t,
        t @ -1.0..=1.0 => t * x[1],
        t if t.is_nan() => 0.0,
        t => (t - 1.0).exp(),
    };
    match (x[1] > 0.0, x[2] > 0.0) {
        (true, true) => piece * x[1],
        (true, _) | (_, true) => piece + x[2],
        (false, false) => unreachable!(),
    }
}

#[test]
fn floats_with_guards_and_ranges() {
    scalar!(floats).rows(&[63, 64]).step(0.05).check(&POINTS);
}

#[differentiable]
fn turned(x: [f64; 3]) -> [f64; 4] {
    [x[2] * x[0], x[0], x[1] * x[1], x[2]]
}

#[differentiable]
fn product(x: [f64; 2]) -> f64 {
    x[0] * x[1]
}

#[derive(Clone, Copy, Differentiable)]
struct Knot {
    at: f64,
    of: f64,
}

const COUNT: usize = 4;

/// What `..` stands for is an array of its own.
#[differentiable]
fn rest_by_value(x: &[f64]) -> f64 {
    let [first, rest @ ..] = turned([x[0], x[1], x[2]]);
    let mut sum = first * rest.iter().sum::<f64>() + rest[1];
    let [mut rest @ .., last] = turned([x[1], x[0], x[2]]);
    rest[0] *= x[2];
    for r in &mut rest {
        *r *= 2.0;
    }
    let [a, .., b] = rest;
    sum += a * b * last + rest.len() as f64;
    let [a, rest @ .., b] = turned([x[2], x[0], x[1]]);
    sum += a * b * product(rest);
    let many: [f64; COUNT] = turned([x[0], x[2], x[1]]);
    let [_, rest @ ..] = many;
    sum += rest.iter().map(|v| v * v).sum::<f64>();
    let [knot, knots @ ..] = [x[0], x[1] * x[2], x[2]].map(|at| Knot { at, of: at * x[0] });
    for k in knots {
        sum += knot.at * k.of;
    }
    for row in [[x[0], x[1], x[2]], [x[1], x[2], x[0]]] {
        let [head, tail @ ..] = row;
        sum += head * product(tail);
    }
    let [_, places @ ..] = [1, 2, 0_usize];
    sum *= x[places[1]];
    match many {
        [a, rest @ ..] if a > 0.0 => sum * rest[2],
        [.., c] => sum + c,
    }
}

#[test]
fn rests_by_value() {
    scalar!(rest_by_value).row(883).step(0.02).check(&POINTS);
}
