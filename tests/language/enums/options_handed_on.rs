//! Options and tuples of enums and structs without floats, which branches choose, as arguments.

use di::prelude::*;
use di_test::scalar;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Low,
    High,
    Top,
}

#[derive(Clone, Copy, PartialEq)]
struct Mark {
    kind: Kind,
    n: u8,
}

#[differentiable]
fn cost(r: f64, previous: Option<Kind>) -> f64 {
    match previous {
        Some(Kind::Low) => r * r,
        Some(Kind::Top) => r.sin(),
        Some(_) => 2.0 * r,
        None => r.exp(),
    }
}

#[differentiable]
fn marked(r: f64, m: Option<Mark>, pair: (Kind, u32)) -> f64 {
    let w = if let Some(m) = m {
        f64::from(m.n) + m.kind as usize as f64
    } else {
        0.5
    };
    let of_pair = if pair.0 == Kind::Low { r * r } else { r };
    w * r * f64::from(pair.1) + of_pair
}

#[differentiable]
fn walked(x: &[f64]) -> f64 {
    let mut previous = if x[0] > 1.0 { Some(Kind::High) } else { None };
    let mut sum = 0.0;
    for i in 0..4 {
        sum += cost(x[0], previous);
        previous = match previous {
            Some(Kind::High) => Some(Kind::Top),
            Some(Kind::Top) => Some(Kind::Low),
            _ => None,
        };
        let kind = Kind::Top;
        let mark = if i % 2 == 0 {
            Some(Mark { kind, n: 3 })
        } else {
            None
        };
        let pair = (if i == 1 { Kind::Low } else { Kind::High }, i);
        sum += marked(x[1], mark, pair);
    }
    sum
}

#[differentiable]
mod model {
    #[derive(Clone, Copy, PartialEq)]
    pub(super) enum Fit {
        Tight,
        Loose,
    }

    fn penalty(r: f64, previous: Option<Fit>) -> f64 {
        match previous {
            Some(Fit::Tight) => r * r,
            Some(Fit::Loose) => 0.5 * r,
            None => 0.0,
        }
    }

    pub(super) fn broken(x: &[f64]) -> f64 {
        let mut best: Vec<(f64, Option<Fit>)> = vec![(0.0, None)];
        for (i, v) in x.iter().enumerate() {
            let (sum, previous) = best[i];
            let fit = if *v > 0.5 { Fit::Loose } else { Fit::Tight };
            best.push((sum + penalty(v * 2.0, previous), Some(fit)));
        }
        best[x.len()].0 + penalty(x[0], best[1].1)
    }
}

const POINTS: [&[f64]; 2] = [&[0.4, 1.3], &[1.7, 0.6]];

#[test]
fn options_of_enums_are_arguments() {
    scalar!(walked).row(803).check(&POINTS);
    scalar!(model::broken::AD, model::broken)
        .row(803)
        .check(&POINTS);
}
