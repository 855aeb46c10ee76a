//! Lists of lists without floats in constant code, and constant lists of options.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, 0.9], &[0.2, 0.4, 1.5], &[1.2, 0.6, 0.3]];

fn first(rows: &[Vec<usize>]) -> usize {
    rows[0][0]
}

fn weight(rows: &[Vec<usize>], k: usize) -> f64 {
    rows[k].len() as f64 + 0.5 * rows[k][0] as f64
}

fn neighbours(n: usize) -> Vec<Vec<usize>> {
    (0..n).map(|i| vec![(i + 1) % n, i]).collect()
}

#[differentiable]
fn coupled(rows: &[Vec<usize>], x: &[f64], factor: f64) -> f64 {
    let mut sum = 0.0;
    for (i, row) in rows.iter().enumerate() {
        for &j in row {
            sum += x[j] * x[i] * factor;
        }
    }
    sum
}

#[differentiable]
fn rows_made(x: &[f64]) -> f64 {
    let fixed: Vec<Vec<usize>> = vec![vec![1], vec![0, 2]];
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); x.len()];
    let mut sum = x[first(&fixed)] * weight(&fixed, 1);
    for i in 0..x.len() {
        rows[i].push((i + 1) % x.len());
        sum += weight(&rows, i) * x[i].sin() * sum;
    }
    rows[1].push(0);
    sum * weight(&rows, 1)
}

#[differentiable]
fn rows_returned(x: &[f64]) -> f64 {
    let rows = neighbours(x.len());
    let mut sum = coupled(&rows, x, x[0]);
    for k in 0..x.len() {
        for &j in &rows[k] {
            sum += x[j].sin();
        }
    }
    sum * coupled(&neighbours(2), x, sum)
}

pub struct Spring {
    pub k: f64,
}

pub struct Data {
    pub seen: Vec<Option<f64>>,
    pub springs: Vec<Option<Spring>>,
}

#[differentiable]
impl Spring {
    fn energy(&self, x: f64) -> f64 {
        self.k * x * x
    }
}

#[differentiable]
fn of_options(x: &[f64], #[constant] seen: &[Option<f64>]) -> f64 {
    let mut sum = 0.0;
    for y in seen.iter().flatten() {
        sum += (x[0] - y).powi(2);
    }
    for y in seen.iter().filter_map(|y| y.as_ref()) {
        sum *= x[1] - y;
    }
    for (k, y) in seen.iter().copied().flatten().enumerate() {
        sum += (x[k] - y).powi(3);
    }
    sum + seen.iter().flatten().map(|y| (x[2] - y).exp()).sum::<f64>()
}

#[differentiable]
fn of_data(x: &[f64], #[constant] data: &Data) -> f64 {
    let mut sum = 0.0;
    for y in data.seen.iter().rev().flatten().skip(1) {
        sum += x[0] * y;
    }
    for spring in data.springs.iter().flatten() {
        sum += spring.energy(x[1]);
    }
    let springs = data.springs.iter().flatten();
    sum * springs.map(|s| s.energy(x[2]) * s.k).sum::<f64>()
}

#[derive(Clone, Copy)]
pub struct Prior {
    pub sd: f64,
}

#[derive(Clone, Copy)]
pub enum Shape {
    Normal { sd: f64 },
    Flat,
}

pub struct Model<'a> {
    pub sd: &'a f64,
}

impl Model<'_> {
    fn prior(&self, k: u32) -> Prior {
        Prior {
            sd: *self.sd + k as f64,
        }
    }
}

fn shape(k: u32) -> Shape {
    match k {
        0 => Shape::Flat,
        k => Shape::Normal { sd: k as f64 },
    }
}

#[differentiable]
impl Prior {
    fn logpdf(&self, x: f64) -> f64 {
        -0.5 * (x / self.sd).powi(2)
    }
}

#[differentiable]
impl Shape {
    fn logpdf(&self, x: f64) -> f64 {
        match *self {
            Shape::Normal { sd } => -0.5 * (x / sd).powi(2),
            Shape::Flat => x,
        }
    }
}

#[differentiable]
fn of_calls(x: &[f64], model: &Model) -> f64 {
    let (p, q): (Prior, Prior) = (model.prior(0), model.prior(1));
    let (r, s): (Shape, Shape) = (shape(0), shape(2));
    p.logpdf(x[0]) * q.logpdf(x[1]) + r.logpdf(x[2]) * s.logpdf(x[0])
}

#[test]
fn constants_are_made_side_by_side() {
    let model = Model { sd: &1.5 };
    scalar!(of_calls::AD.with(&model), |x| of_calls(x, &model))
        .row(454)
        .check(&POINTS);
}

#[test]
fn constant_code_reads_lists_of_lists() {
    scalar!(rows_made).row(452).takes_memory().check(&POINTS);
    scalar!(rows_returned)
        .row(452)
        .takes_memory()
        .check(&POINTS);
}

#[test]
fn options_in_lists_are_flattened() {
    let seen = [Some(0.4), None, Some(1.7)];
    scalar!(of_options::AD.with(&seen), |x| of_options(x, &seen))
        .row(453)
        .check(&POINTS);
    let data = Data {
        seen: seen.to_vec(),
        springs: vec![None, Some(Spring { k: 1.5 }), Some(Spring { k: 0.4 })],
    };
    scalar!(of_data::AD.with(&data), |x| of_data(x, &data))
        .row(453)
        .check(&POINTS);
}
