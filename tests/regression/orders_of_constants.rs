//! Values without floats are numbers in generated code, and were compared as such where a list was sorted and its least or
//! largest was asked for: the last field decided, negative numbers were the largest, and an `Ord` of their own was not asked.

#![allow(
    clippy::unnecessary_sort_by,
    clippy::unwrap_used,
    clippy::useless_vec,
    reason = "comparisons as users write them"
)]

use di::prelude::*;
use di_test::scalar;
use std::cmp::{Ordering, Reverse};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    row: u8,
    column: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Offset {
    by: i8,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wind {
    West,
    North,
    Calm,
}

impl Wind {
    fn rank(self) -> u8 {
        match self {
            Wind::West => 1,
            Wind::North => 2,
            Wind::Calm => 0,
        }
    }
}

impl PartialOrd for Wind {
    fn partial_cmp(&self, other: &Wind) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Wind {
    fn cmp(&self, other: &Wind) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Stay,
    Go(u8, u8),
}

#[differentiable]
fn sorted(x: &[f64]) -> f64 {
    let mut of: Vec<Place> = vec![
        Place { row: 2, column: 0 },
        Place { row: 0, column: 2 },
        Place { row: 1, column: 1 },
    ];
    of.sort();
    let mut sum = x[of[0].row as usize] + 2.0 * x[of[2].column as usize];
    of.sort_by(|a, b| b.cmp(a));
    sum *= x[of[0].row as usize].exp();
    of.sort_by_key(|p| p.column);
    sum += x[of[0].row as usize] * x[0];
    of.sort_by_key(|p| *p);
    sum += x[of[1].row as usize] * x[1];
    of.sort_by_key(|p| Reverse(*p));
    sum + x[of[0].row as usize].sin()
}

#[differentiable]
fn sorted_beside(x: &[f64]) -> f64 {
    let mut of = vec![
        (Place { row: 2, column: 0 }, x[0]),
        (Place { row: 0, column: 2 }, x[1]),
        (Place { row: 1, column: 1 }, x[2]),
    ];
    of.sort_by_key(|p| p.0);
    let mut sum = of[0].1 * of[1].1.sin();
    of.sort_by(|a, b| b.0.cmp(&a.0));
    sum += of[0].1 * x[of[1].0.row as usize];
    let least = of.iter().min_by_key(|p| p.0).unwrap();
    let largest = of.iter().max_by_key(|p| p.0).unwrap();
    sum * least.1 + largest.1.cos()
}

#[differentiable]
fn picked(x: &[f64]) -> f64 {
    let of = vec![
        Place { row: 2, column: 0 },
        Place { row: 0, column: 2 },
        Place { row: 1, column: 1 },
    ];
    let least = of.iter().min().unwrap();
    let largest = of.iter().copied().max().unwrap();
    let at = (0..3).max_by_key(|i| of[*i]).unwrap();
    let of_two = std::cmp::max(of[0], of[1]);
    let sum = x[least.row as usize] + 2.0 * x[largest.column as usize] * x[at];
    sum + x[of_two.row as usize].sin()
}

#[differentiable]
fn signed(x: &[f64]) -> f64 {
    let mut of = vec![Offset { by: 1 }, Offset { by: -1 }, Offset { by: 0 }];
    let least = *of.iter().min().unwrap();
    of.sort();
    x[(least.by + 1) as usize] * x[(of[2].by + 1) as usize].exp()
}

#[differentiable]
fn by_an_order_of_its_own(x: &[f64]) -> f64 {
    let mut of = vec![Wind::West, Wind::Calm, Wind::North];
    let largest = *of.iter().max().unwrap();
    of.sort();
    let least = match of[0] {
        Wind::Calm => x[0].exp(),
        Wind::West => x[1],
        Wind::North => x[2],
    };
    x[largest as usize] * least
}

#[differentiable]
fn variants(x: &[f64]) -> f64 {
    let mut of = vec![Step::Go(1, 0), Step::Stay, Step::Go(0, 5)];
    of.sort();
    let second = match of[1] {
        Step::Go(k, _) => x[k as usize],
        Step::Stay => 7.0 * x[2],
    };
    match of.iter().max() {
        Some(Step::Go(k, _)) => second * x[*k as usize].exp(),
        _ => second,
    }
}

const POINTS: [&[f64]; 2] = [&[0.4, 1.3, -0.7], &[-0.6, 0.2, 0.9]];

#[test]
fn constants_have_their_own_order() {
    scalar!(sorted).takes_memory().check(&POINTS);
    scalar!(sorted_beside).takes_memory().check(&POINTS);
    scalar!(picked).takes_memory().check(&POINTS);
    scalar!(signed).takes_memory().check(&POINTS);
    scalar!(by_an_order_of_its_own)
        .takes_memory()
        .check(&POINTS);
    scalar!(variants).takes_memory().check(&POINTS);
}
