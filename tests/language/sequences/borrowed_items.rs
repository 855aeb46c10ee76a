//! Closures that are given references to items of constants, with data that depends on the inputs beside them.

use di::prelude::*;
use di_test::scalar;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Card {
    Jack,
    Queen,
    King,
}

struct Play {
    card: Card,
    at: f64,
}

const DECK: [Card; 3] = [Card::Jack, Card::Queen, Card::King];

const PLAYS: [Play; 3] = [
    Play {
        card: Card::Queen,
        at: 0.5,
    },
    Play {
        card: Card::Jack,
        at: 1.5,
    },
    Play {
        card: Card::King,
        at: 2.5,
    },
];

#[differentiable]
fn counted(x: &[f64]) -> f64 {
    let k = if x[0] > 1.0 { Card::King } else { Card::Jack };
    let one = DECK.iter().filter(|c| **c <= k).count();
    let two = DECK.iter().filter(|&c| *c <= k).count();
    let three = DECK.iter().filter(|&&c| c <= k).count();
    let numbered = DECK.iter().enumerate();
    let four = numbered.filter(|(i, c)| **c <= k && *i > 0).count();
    let numbered = DECK.iter().enumerate();
    let five = numbered.filter(|&(i, c)| *c <= k && i > 0).count();
    x[0] * (one + 2 * two + 4 * three) as f64 + x[1] * (1 + four + 3 * five) as f64
}

#[differentiable]
fn found(x: &[f64]) -> f64 {
    let k = if x[0] > 1.0 { Card::King } else { Card::Jack };
    let found = PLAYS
        .iter()
        .find(|p| p.card == k)
        .map_or(0.0, |p| p.at * x[0]);
    let at = PLAYS.iter().position(|p| p.card == k).unwrap_or(7);
    let last = DECK.iter().find(|&&c| c >= k).map_or(9, |&c| c as usize);
    let mut sum: f64 = PLAYS
        .iter()
        .filter(|p| p.card <= k)
        .map(|p| p.at * x[0].sin())
        .sum();
    for p in PLAYS.iter().skip_while(|p| p.card != k) {
        sum += p.at * x[1] * x[1];
    }
    for p in PLAYS.iter().take_while(|p| p.card < k) {
        sum += p.at * x[1].cos();
    }
    found + at as f64 * x[0] + sum * x[last % 2]
}

#[differentiable]
fn fitted(x: &[f64], #[constant] times: &[f64], #[constant] seen: &[(usize, f64)]) -> f64 {
    let start = 2.0 * x[0];
    let n = times.iter().filter(|t| **t < start).count();
    let sum: f64 = times.iter().filter(|&&t| t > 0.5).map(|t| t * x[1]).sum();
    let late = seen.iter().filter(|(i, v)| *i > 0 && *v < start);
    let late: f64 = late.map(|(i, v)| v * x[*i]).sum();
    let first = seen
        .iter()
        .find(|&&(i, _)| i == 1)
        .map_or(0.0, |o| o.1 * x[0]);
    n as f64 * x[0] + sum + late * x[1] + first
}

const POINTS: [&[f64]; 2] = [&[0.4, 1.3], &[1.7, 0.6]];

#[test]
fn closures_that_compare_what_they_borrow() {
    scalar!(counted).row(802).check(&POINTS);
    scalar!(found).row(802).check(&POINTS);
    let (times, seen) = ([0.3, 0.9, 1.9], [(0, 0.4), (1, 0.2), (1, 3.0)]);
    scalar!(fitted::AD.with(&times, &seen), |x| fitted(x, &times, &seen))
        .row(802)
        .check(&POINTS);
}
