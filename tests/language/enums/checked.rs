//! Functions that return options and results of vectors and structs: matched on, handed on, left early.

use di::prelude::*;
use di_test::compare::{DIFFERENCES, assert_close};
use di_test::differences::columns;
use di_test::scalar;

const FOUR: [&[f64]; 3] = [
    &[0.4, 0.5, -0.3, 0.8],
    &[0.9, 0.2, 0.7, 0.6],
    &[0.9, -0.2, 0.7, 0.6],
];

#[derive(Clone, Debug, Differentiable)]
struct Fit {
    scale: f64,
    weights: Vec<f64>,
}

#[differentiable]
impl Fit {
    fn try_new(x: &[f64]) -> Result<Fit, String> {
        if x.len() < 2 {
            return Err(format!("{} parameters", x.len()));
        }
        if x[1] < 0.0 {
            return Err("a negative weight".to_string());
        }
        let weights = x[1..].iter().map(|w| w * x[0]).collect();
        Ok(Fit {
            scale: x[0],
            weights,
        })
    }

    fn halved(&self) -> Option<Self> {
        (self.scale > 0.5).then(|| Fit {
            scale: 0.5 * self.scale,
            weights: self.weights.clone(),
        })
    }

    fn value(&self, t: f64) -> f64 {
        self.weights
            .iter()
            .fold(self.scale, |sum, w| sum * t + w * w)
    }
}

#[differentiable]
fn roots(a: f64, b: f64) -> Option<Vec<f64>> {
    let d = a * a - b;
    if d < 0.0 {
        return None;
    }
    Some(vec![a - d.sqrt(), a + d.sqrt()])
}

#[differentiable]
fn matched(x: &[f64]) -> f64 {
    let fit = match Fit::try_new(x) {
        Ok(fit) => fit,
        Err(_) => return x[0] * x[1],
    };
    let mut total = fit.value(x[2]);
    if let Some(half) = fit.halved() {
        total += half.value(x[3]) * half.weights[0];
    }
    match roots(x[0], x[1]) {
        Some(r) => total * r[0] + r[1],
        None => total - x[3],
    }
}

#[differentiable]
fn solved(a: &[Vec<f64>], b: Vec<f64>) -> Option<(Vec<f64>, f64)> {
    let det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    if det.abs() < 1e-9 {
        return None;
    }
    let x = vec![
        (b[0] * a[1][1] - a[0][1] * b[1]) / det,
        (a[0][0] * b[1] - b[0] * a[1][0]) / det,
    ];
    Some((x, det))
}

#[differentiable]
fn inverse(a: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let (p, _) = solved(a, vec![1.0, 0.0])?;
    let (q, _) = solved(a, vec![0.0, 1.0])?;
    Some(vec![vec![p[0], q[0]], vec![p[1], q[1]]])
}

#[differentiable]
fn handed_on(x: &[f64]) -> f64 {
    let a = vec![vec![x[0], x[1]], vec![x[2], x[3]]];
    let singular = vec![vec![x[0], x[1]], vec![x[0], x[1]]];
    let mut sum = match inverse(&a) {
        Some(i) => i[0][0] * i[1][1] - 2.0 * i[0][1],
        None => 0.0,
    };
    if inverse(&singular).is_some() {
        sum += 100.0;
    }
    let Some((y, det)) = solved(&a, vec![x[1], 1.0]) else {
        return 0.0;
    };
    for k in 0..2 {
        let r = roots(x[k], 0.1 * x[2]).unwrap_or_else(|| vec![x[3], 1.0]);
        sum += r[0] * r[1] * y[k];
    }
    sum * det
}

#[differentiable]
fn checked(x: &[f64]) -> Result<f64, String> {
    let fit = Fit::try_new(x)?;
    let half = fit.halved().ok_or("too small".to_string())?;
    Ok(fit.value(x[3]) + half.value(x[2]))
}

#[differentiable]
fn left_early(x: &[f64]) -> f64 {
    checked(x).unwrap_or(x[0] * x[3])
}

#[test]
fn vectors_and_structs() {
    scalar!(matched).row(176).takes_memory().check(&FOUR);
    scalar!(handed_on).row(176).check(&FOUR);
    scalar!(left_early).row(176).takes_memory().check(&FOUR);
}

// ---- arrays whose length shows elsewhere ----

#[differentiable]
fn shifted<const N: usize>(x: &[f64; N], by: f64) -> [f64; N] {
    std::array::from_fn(|i| x[i] + by * x[(i + 1) % N])
}

#[differentiable]
fn of_any_length(x: &[f64]) -> f64 {
    let a = [x[0], x[1], x[2]];
    let b = shifted(&a, x[3]);
    let mut c = [0.0; 3];
    if x[0] > 0.5 {
        c = std::array::from_fn(|k| b[k] * b[k]);
    }
    let d = std::array::from_fn(|k| c[k] + x[k]);
    dotted(&d, &b) + dotted(&std::array::from_fn(|k| x[k + 1]), &a)
}

#[differentiable]
fn dotted(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn arrays_made_by_a_closure() {
    scalar!(of_any_length).row(21).check(&FOUR);
}

// ---- integers that other code finds ----

struct Table {
    at: Vec<f64>,
}

impl Table {
    fn segment(&self, t: f64) -> usize {
        self.at
            .iter()
            .rposition(|&v| v <= t)
            .unwrap_or(0)
            .min(self.at.len() - 2)
    }
}

#[differentiable]
fn interpolated(#[constant] table: &Table, t: f64) -> f64 {
    let k = table.segment(t);
    let w = (t - table.at[k]) / (table.at[k + 1] - table.at[k]);
    w * w + k as f64
}

#[differentiable]
fn looked_up(x: &[f64], #[constant] table: &Table) -> f64 {
    x.iter().map(|v| interpolated(table, *v) * v).sum()
}

#[test]
fn integers_that_other_code_finds() {
    let _row = di_test::rows::row(177);
    let table = Table {
        at: vec![-1.0, 0.0, 0.25, 0.5, 2.0],
    };
    let x = [0.4, 1.1, 0.3, 0.8];
    let expected = columns(|x| vec![looked_up(x, &table)], &x, 1e-5).concat();
    for backend in [AutoSource::new().reverse(), AutoSource::new().forward()] {
        let found = gradient(looked_up::AD.with(&table), NoPrep, &backend, &x).unwrap();
        assert_close("gradient", &found, &expected, DIFFERENCES);
    }
}
