//! Methods of std by their paths, in the place of closures, and patterns of lists of constant tuples.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.3], &[1.6, 0.4]];

const CURVE: [(f64, f64); 4] = [(0.0, 1.0), (1.0, 3.0), (2.0, 4.0), (3.0, -1.0)];

#[differentiable]
fn signals(x: &[f64], #[constant] s: &[Vec<f64>], names: &[Option<String>]) -> f64 {
    let shortest = s.iter().map(Vec::len).min().unwrap_or(0);
    let known = names.iter().filter(|n| n.is_some()).count();
    let longest = names.iter().flatten().map(String::len).max().unwrap_or(1);
    let mut sum = x[0] * shortest as f64;
    for v in s {
        sum += v.first().map_or(x[1], |a| a * x[0] * x[1]) * known as f64;
    }
    sum * longest as f64
}

#[differentiable]
mod model {
    pub(crate) fn words(x: &[f64], text: &str) -> f64 {
        let lengths: Vec<usize> = text.split(' ').map(str::len).collect();
        let capitals = text.chars().filter(|c| c.is_uppercase()).count();
        let mut sum = x[0];
        for (i, n) in lengths.iter().enumerate() {
            sum += x[i % 2] * x[0] * *n as f64;
        }
        sum * capitals as f64
    }

    pub(crate) struct Table {
        pub(crate) rows: Vec<(f64, f64)>,
    }

    pub(crate) fn at(x: &[f64], #[constant] t: &Table) -> f64 {
        let mut sum = x[0];
        for w in t.rows.windows(2) {
            let &[(a, b), (c, d)] = w else { continue };
            if a <= x[1] && x[1] < c {
                sum += b + (d - b) * (x[1] - a).powi(2) * x[0];
            }
        }
        sum
    }
}

#[test]
fn methods_of_std_stand_in_the_place_of_closures() {
    let signal = vec![vec![0.5, 1.0, -2.0], vec![], vec![1.5, 0.2]];
    let names = [Some("left".to_owned()), None, Some("rear".to_owned())];
    scalar!(signals::AD.with(&signal, &names), |x: &[f64]| signals(
        x, &signal, &names
    ))
    .row(767)
    .check(&POINTS);
    let text = "Alpha beta Gamma de";
    scalar!(model::words::AD.with(text), |x: &[f64]| model::words(
        x, text
    ))
    .row(767)
    .takes_memory()
    .check(&POINTS);
}

#[differentiable]
fn curve(x: &[f64]) -> f64 {
    for pair in CURVE.windows(2) {
        let [(x0, y0), (x1, y1)] = pair else {
            unreachable!()
        };
        if (*x0..=*x1).contains(&x[0]) {
            return y0 + (x[0] - x0) / (x1 - x0) * (y1 - y0) * x[1];
        }
    }
    0.0
}

const STEPS: [(usize, (f64, bool)); 3] = [(0, (1.0, true)), (1, (3.0, false)), (0, (4.0, true))];

#[differentiable]
fn steps(x: &[f64]) -> f64 {
    let mut sum = x[0];
    for w in STEPS.windows(2) {
        if let [(0, (a, true)), (k, (b, _))] = w {
            sum += a * x[0] * b * x[*k];
        }
        match w {
            [(1, (c, false)), _] => sum *= c * x[0],
            [(_, (c, true)), ..] => sum += c * x[1],
            _ => {}
        }
    }
    for (i, w) in CURVE.chunks(3).enumerate() {
        match w {
            [(a, b), (c, _), (_, d)] => sum += a * x[0] + b * x[1] * c * d * x[i],
            [(a, _)] => sum += a * x[0] * x[1],
            _ => {}
        }
    }
    sum
}

#[differentiable]
mod named {
    #[derive(Clone, Copy)]
    pub(super) enum Card {
        Low(u8),
        High,
    }

    fn number(n: usize) -> f64 {
        n as f64 + 0.5
    }

    fn value(card: Card) -> f64 {
        match card {
            Card::Low(n) => f64::from(n),
            Card::High => 10.0,
        }
    }

    pub(super) fn hand(x: &[f64]) -> f64 {
        let mut sum: f64 = (0..3).map(number).map(|n| n * x[0]).sum();
        for k in 0..3u8 {
            let card = if k == 1 { None } else { Some(Card::Low(k)) };
            sum += card.map_or(0.5, value) * x[1];
        }
        sum * [Card::High, Card::Low(2)]
            .into_iter()
            .map(value)
            .sum::<f64>()
            * x[1].sin()
    }
}

#[differentiable]
fn coded(x: f64, n: usize) -> Option<Vec<f64>> {
    if n == 1 || x > 3.0 {
        return None;
    }
    Some((0..n).map(|k| (x * k as f64).sin() + x).collect())
}

#[differentiable]
fn rows_that_are_found(x: &[f64]) -> f64 {
    let codes: Vec<Vec<f64>> = (0..5).filter_map(|n| coded(x[0] * n as f64, n)).collect();
    let others: Vec<Vec<f64>> = (0..4).flat_map(|n| coded(x[1], n)).collect();
    let pairs: Vec<[f64; 2]> = (0..4)
        .filter_map(|n| {
            if n == 2 {
                None
            } else {
                Some([x[0] * n as f64, x[1]])
            }
        })
        .collect();
    let rows = codes.iter().enumerate();
    let sum: f64 = rows
        .map(|(i, r)| r.iter().sum::<f64>() * (i as f64 + x[1]).cos())
        .sum();
    sum + others[1][0] * pairs[2][0] * pairs[1][1] * codes.len() as f64
}

#[test]
fn functions_of_constants_by_their_names() {
    scalar!(named::hand::AD, named::hand)
        .row(804)
        .check(&POINTS);
}

#[test]
fn rows_of_functions_that_may_give_none() {
    scalar!(rows_that_are_found).row(805).check(&POINTS);
}

#[test]
fn patterns_of_lists_look_into_constant_tuples() {
    scalar!(curve).row(768).step(0.01).check(&POINTS);
    scalar!(steps).row(768).check(&POINTS);
    let rows = vec![(0.0, 1.0), (1.0, 0.5), (2.5, 2.0)];
    let t = model::Table { rows };
    scalar!(model::at::AD.with(&t), |x: &[f64]| model::at(x, &t))
        .row(768)
        .step(0.01)
        .check(&POINTS);
}
