//! A decay fitted to data: the sum of squares of what a model function misses, as curve fits are written.

use di::prelude::*;

/// `a exp(-b t) + c`
#[differentiable]
pub fn decay(p: &[f64], t: f64) -> f64 {
    p[0] * (-p[1] * t).exp() + p[2]
}

/// Half the sum of squares, by iterators.
#[differentiable]
pub fn cost(p: &[f64], #[constant] t: &[f64], #[constant] y: &[f64]) -> f64 {
    0.5 * t
        .iter()
        .zip(y)
        .map(|(t, y)| (decay(p, *t) - y).powi(2))
        .sum::<f64>()
}

/// The same as one outlined function.
#[inline(never)]
pub fn primal(p: &[f64], t: &[f64], y: &[f64]) -> f64 {
    cost(p, t, y)
}

/// The negative log-likelihood of a logistic regression with four features.
#[differentiable]
pub fn logistic(w: &[f64], #[constant] rows: &[[f64; 4]], #[constant] label: &[f64]) -> f64 {
    let mut loss = 0.0;
    for (row, y) in rows.iter().zip(label) {
        let mut z = 0.0;
        for k in 0..4 {
            z += w[k] * row[k];
        }
        loss += (1.0 + (-y * z).exp()).ln();
    }
    loss
}

/// The same as one outlined function.
#[inline(never)]
pub fn logistic_primal(w: &[f64], rows: &[[f64; 4]], label: &[f64]) -> f64 {
    logistic(w, rows, label)
}

/// Value and gradient of [`cost`] by hand.
#[inline(never)]
pub fn value_and_gradient(p: &[f64], t: &[f64], y: &[f64], g: &mut [f64]) -> f64 {
    let (a, b, c) = (p[0], p[1], p[2]);
    let (mut sum, mut ga, mut gb, mut gc) = (0.0, 0.0, 0.0, 0.0);
    for (t, y) in t.iter().zip(y) {
        let e = (-b * t).exp();
        let r = a * e + c - y;
        sum += r * r;
        ga += r * e;
        gb -= r * a * e * t;
        gc += r;
    }
    g[0] = ga;
    g[1] = gb;
    g[2] = gc;
    0.5 * sum
}

/// Value and gradient of [`logistic`] by hand.
#[inline(never)]
pub fn logistic_value_and_gradient(
    w: &[f64],
    rows: &[[f64; 4]],
    label: &[f64],
    g: &mut [f64],
) -> f64 {
    let w: [f64; 4] = w.try_into().expect("four weights");
    let (mut loss, mut sums) = (0.0, [0.0; 4]);
    for (row, y) in rows.iter().zip(label) {
        let z = w[0] * row[0] + w[1] * row[1] + w[2] * row[2] + w[3] * row[3];
        let e = (-y * z).exp();
        loss += (1.0 + e).ln();
        let zb = -y * e / (1.0 + e);
        for k in 0..4 {
            sums[k] += zb * row[k];
        }
    }
    g.copy_from_slice(&sums);
    loss
}

/// Times, values near a decay, rows and labels.
pub fn data(n: usize) -> (Vec<f64>, Vec<f64>, Vec<[f64; 4]>, Vec<f64>) {
    let t: Vec<f64> = (0..n).map(|i| 4.0 * i as f64 / n as f64).collect();
    let y = t
        .iter()
        .map(|t| 2.0 * (-0.8 * t).exp() + 0.1 * (9.0 * t).sin());
    let row = |i: usize| [1.0, 0.37, 0.91, 1.73].map(|f| (f * (i + 1) as f64).sin());
    let label = |i: usize| if (i * i).is_multiple_of(3) { 1.0 } else { -1.0 };
    (
        t.clone(),
        y.collect(),
        (0..n).map(row).collect(),
        (0..n).map(label).collect(),
    )
}
