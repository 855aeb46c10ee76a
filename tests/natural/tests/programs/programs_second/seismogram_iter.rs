//! Heart rate variability from beat intervals: functional style with scan, windows, fold, flat_map, zip, rev.
use di::prelude::*;

#[differentiable]
fn beat_times(rr: &[f64]) -> Vec<f64> {
    rr.iter()
        .scan(0.0, |t, r| {
            *t += r;
            Some(*t)
        })
        .collect()
}

#[differentiable]
fn rmssd(rr: &[f64]) -> f64 {
    let (sum, n) = rr.windows(2).map(|w| w[1] - w[0]).fold((0.0, 0usize), |(s, n), d| (s + d * d, n + 1));
    (sum / n as f64).sqrt()
}

#[differentiable]
fn lomb(times: &[f64], values: &[f64], freq: f64) -> f64 {
    let w = std::f64::consts::TAU * freq;
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let (c, s) = times
        .iter()
        .zip(values.iter())
        .map(|(t, v)| ((w * t).sin_cos(), v - mean))
        .fold((0.0, 0.0), |(c, s), ((sin, cos), v)| (c + v * cos, s + v * sin));
    c.mul_add(c, s * s)
}

#[differentiable]
fn score(rr: &[f64]) -> f64 {
    let times = beat_times(rr);
    let band = |lo: f64, hi: f64| -> f64 {
        (0..8).map(|i| lo + (hi - lo) * i as f64 / 7.0).map(|f| lomb(&times, rr, f)).sum::<f64>()
    };
    let balance = band(0.04, 0.15) / band(0.15, 0.4);
    let half = rr.len() / 2;
    let trend = rr.iter().rev().take(half).sum::<f64>() - rr.iter().take(half).sum::<f64>();
    let ends = rr.iter().step_by(3).chain(rr.iter().skip(1).step_by(3)).flat_map(|r| [r.ln(), r.sqrt()]).sum::<f64>();
    balance.ln() + 10.0 * rmssd(rr) + trend + 0.1 * ends
}

pub(super) fn main() -> Result<(), di::Error> {
    let rr = vec![0.81, 0.84, 0.9, 0.88, 0.79, 0.75, 0.78, 0.86, 0.93, 0.87];
    let g = gradient(score::AD, NoPrep, &AutoSource::new(), &rr)?;
    super::check_of("hrv", &g, &rr, |x| score(x));
    Ok(())
}
