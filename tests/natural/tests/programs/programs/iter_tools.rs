//! Experienced: seasonal demand forecast (Holt-Winters) with scan, successors, partition, unzip, try_fold.

use di::prelude::*;
use super::{check, fd};

#[derive(Clone, Copy, Debug, Differentiable)]
struct Hw {
    alpha: f64,
    beta: f64,
    gamma: f64,
}

#[differentiable]
fn errors(p: &Hw, #[constant] y: &[f64], season: usize) -> Vec<f64> {
    let mut seasonals: Vec<f64> = y[..season].iter().map(|v| v - y[..season].iter().sum::<f64>() / season as f64).collect();
    y.iter()
        .enumerate()
        .skip(season)
        .scan((y[season], 0.0), |(level, trend), (i, &obs)| {
            let k = i % season;
            let forecast = *level + *trend + seasonals[k];
            let new_level = p.alpha * (obs - seasonals[k]) + (1.0 - p.alpha) * (*level + *trend);
            *trend = p.beta * (new_level - *level) + (1.0 - p.beta) * *trend;
            seasonals[k] = p.gamma * (obs - new_level) + (1.0 - p.gamma) * seasonals[k];
            *level = new_level;
            Some(obs - forecast)
        })
        .collect()
}

#[differentiable]
fn score(p: &Hw, #[constant] y: &[f64], season: usize) -> f64 {
    let e = errors(p, y, season);
    let (over, under): (Vec<f64>, Vec<f64>) = e.iter().partition(|e| **e > 0.0);
    let pinball = 0.7 * over.iter().sum::<f64>() - 0.3 * under.iter().sum::<f64>();
    let capped = e.iter().try_fold(0.0, |acc, e| if acc > 1e6 { None } else { Some(acc + e * e) });
    let decay: f64 = std::iter::successors(Some(1.0), |w| (*w > 0.05).then(|| w * (1.0 - p.alpha))).zip(e.iter().rev()).map(|(w, e)| w * e.abs()).sum();
    let (idx, vals): (Vec<usize>, Vec<f64>) = e.iter().enumerate().filter(|(i, _)| i % 2 == 0).map(|(i, v)| (i, *v)).unzip();
    pinball + capped.unwrap_or(1e9) + 0.1 * decay + vals.iter().zip(idx).map(|(v, i)| v * i as f64 * 1e-2).sum::<f64>()
}

pub(super) fn main() -> Result<(), di::Error> {
    let y: Vec<f64> = (0..20).map(|i| 10.0 + 0.3 * i as f64 + [1.0, -2.0, 0.5, 0.7][i % 4] + ((i * i) % 5) as f64 * 0.2).collect();
    let p = Hw { alpha: 0.4, beta: 0.2, gamma: 0.3 };
    let g = gradient(score::AD.with(&y, 4), NoPrep, &AutoSource::new(), &p)?;
    check("72", &[g.alpha, g.beta, g.gamma], &fd(|x| score(&Hw { alpha: x[0], beta: x[1], gamma: x[2] }, &y, 4), &[0.4, 0.2, 0.3]));
    Ok(())
}
