//! Engineer: rainflow counting (4-point) and Miner's rule.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
fn turning_points(s: &[f64]) -> Vec<f64> {
    let mut out = vec![s[0]];
    for i in 1..s.len() - 1 {
        if (s[i] - s[i - 1]) * (s[i + 1] - s[i]) < 0.0 {
            out.push(s[i]);
        }
    }
    out.push(s[s.len() - 1]);
    out
}

/// Ranges and counts.
#[differentiable]
fn rainflow(points: &[f64]) -> Vec<(f64, f64)> {
    let mut stack: Vec<f64> = Vec::new();
    let mut cycles = Vec::new();
    for &p in points {
        stack.push(p);
        while stack.len() >= 4 {
            let n = stack.len();
            let inner = (stack[n - 3] - stack[n - 2]).abs();
            let left = (stack[n - 4] - stack[n - 3]).abs();
            let right = (stack[n - 2] - stack[n - 1]).abs();
            if inner <= left && inner <= right {
                cycles.push((inner, 1.0));
                let last = stack.pop().unwrap();
                stack.truncate(n - 3);
                stack.push(last);
            } else {
                break;
            }
        }
    }
    for w in stack.windows(2) {
        cycles.push(((w[1] - w[0]).abs(), 0.5));
    }
    cycles
}

#[differentiable]
fn damage(s: &[f64], #[constant] m: f64, #[constant] endurance: f64) -> f64 {
    rainflow(&turning_points(s))
        .into_iter()
        .filter(|&(range, _)| range > endurance)
        .map(|(range, count)| count * (range / 100.0).powf(m))
        .sum()
}

pub(super) fn main() -> Result<(), di::Error> {
    let s = [0.0, 40.0, -20.0, 60.0, -70.0, 30.0, 10.0, 50.0, -10.0, 80.0, 5.0];
    let g = gradient(damage::AD.with(3.0, 15.0), NoPrep, &AutoSource::new(), &s)?;
    check("39", &g, &fd(|s| damage(s, 3.0, 15.0), &s));
    Ok(())
}
