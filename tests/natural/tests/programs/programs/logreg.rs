//! Experienced: logistic regression with a penalty enum and a dataset struct with an iterator method.

use di::prelude::*;
use super::{check, fd};

#[derive(Clone, Copy, Debug)]
enum Penalty {
    None,
    Ridge(f64),
    ElasticNet { l1: f64, l2: f64 },
}

struct Dataset {
    rows: Vec<Vec<f64>>,
    labels: Vec<bool>,
}

impl Dataset {
    fn iter(&self) -> impl Iterator<Item = (&[f64], bool)> + '_ {
        self.rows.iter().map(Vec::as_slice).zip(self.labels.iter().copied())
    }
}

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn softplus(z: f64) -> f64 {
    z.max(0.0) + (-z.abs()).exp().ln_1p()
}

#[differentiable]
fn penalty(w: &[f64], #[constant] p: Penalty) -> f64 {
    match p {
        Penalty::None => 0.0,
        Penalty::Ridge(l) => 0.5 * l * dot(w, w),
        Penalty::ElasticNet { l1, l2 } => l1 * w.iter().map(|w| w.abs()).sum::<f64>() + 0.5 * l2 * dot(w, w),
    }
}

#[differentiable]
fn objective(w: &[f64], #[constant] data: &Dataset, #[constant] p: Penalty) -> f64 {
    let (bias, weights) = w.split_last().expect("at least a bias");
    let mut loss = 0.0;
    for (row, label) in data.iter() {
        let z = dot(weights, row) + bias;
        loss += if label { softplus(-z) } else { softplus(z) };
    }
    loss / data.rows.len() as f64 + penalty(weights, p)
}

pub(super) fn main() -> Result<(), di::Error> {
    let rows: Vec<Vec<f64>> = (0..12).map(|i| vec![(i % 5) as f64 - 2.0, (i * i % 7) as f64 - 3.0]).collect();
    let labels = rows.iter().map(|r| r[0] + 0.3 * r[1] > 0.0).collect();
    let data = Dataset { rows, labels };
    let w = [0.3, -0.2, 0.1];
    for p in [Penalty::None, Penalty::Ridge(0.1), Penalty::ElasticNet { l1: 0.05, l2: 0.2 }] {
        let g = gradient(objective::AD.with(&data, p), NoPrep, &AutoSource::new(), &w)?;
        check("14", &g, &fd(|w| objective(w, &data, p), &w));
    }
    Ok(())
}
