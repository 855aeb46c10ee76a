//! Engineer: journal bearing, Reynolds equation by SOR until converged, struct Settings with Default.

use di::prelude::*;
use super::{check, fd};

#[derive(Debug, Clone, Copy)]
struct Settings {
    nodes: usize,
    omega: f64,
    tol: f64,
    max_iter: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { nodes: 24, omega: 1.5, tol: 1e-13, max_iter: 2000 }
    }
}

#[differentiable]
fn load(ecc: f64, viscosity: f64, #[constant] set: Settings) -> f64 {
    let n = set.nodes;
    let dth = std::f64::consts::PI / n as f64;
    let theta = |i: f64| i * dth;
    let h: Vec<f64> = (0..=2 * n).map(|i| 1.0 + ecc * theta(0.5 * i as f64).cos()).collect();
    let mut p = vec![0.0; n + 1];
    let mut iter = 0;
    loop {
        let mut change: f64 = 0.0;
        for i in 1..n {
            let a = h[2 * i - 1].powi(3);
            let b = h[2 * i + 1].powi(3);
            let rhs = 6.0 * viscosity * ecc * theta(i as f64).sin();
            let new = (a * p[i - 1] + b * p[i + 1] + rhs * dth * dth) / (a + b);
            let d = set.omega * (new - p[i]);
            p[i] += d;
            change = change.max(d.abs());
        }
        iter += 1;
        if change < set.tol || iter >= set.max_iter {
            break;
        }
    }
    let fx: f64 = (0..=n).map(|i| p[i] * theta(i as f64).cos() * dth).sum();
    let fy: f64 = p.iter().enumerate().map(|(i, p)| p * theta(i as f64).sin() * dth).sum();
    fx.hypot(fy)
}

pub(super) fn main() -> Result<(), di::Error> {
    let set = Settings { nodes: 20, ..Default::default() };
    let (a, b) = gradient(load::AD.with(set), NoPrep, &AutoSource::new(), &(0.6, 0.8))?;
    check("40", &[a, b], &fd(|x| load(x[0], x[1], set), &[0.6, 0.8]));
    Ok(())
}
