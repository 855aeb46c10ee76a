//! Constants in code that is differentiated: closures that their methods take, iterators that these return, lists of
//! tuples, and variables that begin as constants.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1], &[1.3, 0.4]];

#[derive(Debug, Clone)]
struct Site {
    lapse: Option<f64>,
    open: bool,
    height: f64,
}

#[derive(Debug, Clone)]
struct Grid {
    start: (f64, f64),
    levels: Vec<f64>,
    count: usize,
}

impl Grid {
    fn nodes(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.count).map(|k| self.start.0 + 0.3 * k as f64)
    }
}

fn sites() -> Vec<Site> {
    let site = |lapse, open, height| Site {
        lapse,
        open,
        height,
    };
    vec![
        site(None, true, 0.4),
        site(Some(0.6), true, 1.2),
        site(Some(0.2), false, 0.9),
    ]
}

fn grid() -> Grid {
    Grid {
        start: (0.2, 1.5),
        levels: vec![0.3, 0.8, 0.5],
        count: 4,
    }
}

// ---- closures ----

const WEIGHTS: [f64; 3] = [0.5, 1.5, 0.7];

#[differentiable]
fn mapped(x: &[f64], #[constant] sites: &[Site]) -> f64 {
    let scaled = WEIGHTS.map(|w| (w * x[0]).sin());
    let mut sum = scaled[0] * scaled[1] + scaled[2] * x[1];
    for site in sites {
        let lapse = site.lapse.map(|l| l * x[0] * x[1]);
        let inside = site.open.then(|| x[1] * x[1] * site.height);
        sum += lapse.unwrap_or(0.3 * x[1]) + inside.unwrap_or(x[0]);
    }
    let highest = sites
        .iter()
        .max_by(|a, b| a.height.total_cmp(&b.height))
        .map(|site| site.height * x[0] * x[0]);
    sum + highest.map_or(0.0, |v| v * x[1])
}

#[test]
fn methods_that_take_closures() {
    let sites = sites();
    scalar!(mapped::AD.with(&sites), |x| mapped(x, &sites))
        .row(270)
        .check(&POINTS);
}

// ---- iterators ----

#[differentiable]
fn integrated(x: &[f64], #[constant] grid: &Grid) -> f64 {
    let psi: Vec<f64> = grid.nodes().map(|q| (-x[0] * q * q).exp()).collect();
    grid.nodes().zip(&psi).map(|(q, p)| q * p * x[1]).sum()
}

#[test]
fn iterators_that_methods_return() {
    let grid = grid();
    scalar!(integrated::AD.with(&grid), |x| integrated(x, &grid))
        .takes_memory()
        .row(271)
        .check(&POINTS);
}

// ---- loops ----

#[differentiable]
fn root(v: f64) -> Option<f64> {
    if v > 0.0 { Some(v.sqrt()) } else { None }
}

#[differentiable]
fn ended_early(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let folded = data.iter().try_fold(x[0], |acc, d| {
        if *d < 2.0 {
            Some(acc + d * acc * x[1])
        } else {
            None
        }
    });
    let roots = data
        .iter()
        .map(|d| root(d * x[0]))
        .collect::<Option<Vec<f64>>>();
    let none = data
        .iter()
        .map(|d| root((d - 0.5) * x[0]))
        .collect::<Option<Vec<f64>>>();
    let total = roots.map_or(0.0, |all| all.iter().sum::<f64>()) + none.map_or(x[0], |all| all[0]);
    folded.unwrap_or(0.0) + total
}

#[differentiable]
fn divided(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let terms: Vec<f64> = data.iter().map(|d| d * x[0] - x[1] * x[1]).collect();
    let (positive, rest): (Vec<f64>, Vec<f64>) = terms.iter().copied().partition(|t| *t > 0.0);
    let first = data.iter().find_map(|d| root(d * x[0] - 0.3));
    let last = terms.iter().rfind(|t| **t < 0.4).copied();
    positive.iter().map(|t| t * t).sum::<f64>() - rest.iter().sum::<f64>()
        + first.unwrap_or(0.0)
        + last.unwrap_or(x[0])
}

#[differentiable]
fn checked(v: f64) -> Result<f64, String> {
    if v > 5.0 {
        Err("large".to_owned())
    } else {
        Ok(v * v)
    }
}

#[differentiable]
fn all_or_none(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let all: Result<Vec<f64>, String> = data.iter().map(|d| checked(d * x[0])).collect();
    let sum = match all {
        Ok(v) => v.iter().sum::<f64>(),
        Err(_) => x[1],
    };
    let folded = data
        .iter()
        .try_fold(x[1], |s, d| if s > 9.0 { Err(d) } else { Ok(s + d * x[0]) });
    sum + match folded {
        Ok(v) => v * v,
        Err(_) => x[0],
    }
}

#[test]
fn errors_that_end_loops() {
    let data = [0.3, 0.9, 0.5];
    scalar!(all_or_none::AD.with(&data), |x| all_or_none(x, &data))
        .row(272)
        .check(&POINTS);
    let data = [0.3, 20.0, 0.5];
    scalar!(all_or_none::AD.with(&data), |x| all_or_none(x, &data))
        .row(272)
        .check(&POINTS);
}

#[test]
fn loops_that_end_early() {
    let data = [0.3, 0.9, 0.5];
    scalar!(ended_early::AD.with(&data), |x| ended_early(x, &data))
        .row(272)
        .check(&POINTS);
    scalar!(divided::AD.with(&data), |x| divided(x, &data))
        .row(272)
        .check(&POINTS);
}

// ---- lists of tuples ----

#[differentiable]
fn misfit(scale: f64, data: &[(f64, f64)]) -> f64 {
    data.iter()
        .map(|(t, y)| ((-t * scale).exp() - y).powi(2))
        .sum()
}

#[differentiable]
fn fitted(x: &[f64], #[constant] data: &[(f64, f64)]) -> f64 {
    let scale = x[1].exp();
    misfit(scale * x[0], data) * x[1]
}

#[test]
fn lists_of_tuples_that_are_passed() {
    let data = [(0.2, 0.9), (0.7, 0.5), (1.4, 0.2)];
    scalar!(fitted::AD.with(&data), |x| fitted(x, &data))
        .row(273)
        .check(&POINTS);
}

// ---- variables ----

#[differentiable]
fn carried(x: &[f64], #[constant] grid: &Grid) -> f64 {
    let mut last = grid.start;
    let mut level = grid.levels.clone();
    for k in 0..3 {
        let grown: Vec<f64> = level.iter().map(|v| v * x[0] + last.1).collect();
        last = (last.1 * x[1], last.0 + grown[k]);
        level = grown;
    }
    last.0 * last.1 + level[0] * level[2]
}

#[test]
fn constants_that_are_assigned_to_later() {
    let grid = grid();
    scalar!(carried::AD.with(&grid), |x| carried(x, &grid))
        .takes_memory()
        .row(274)
        .check(&POINTS);
}
