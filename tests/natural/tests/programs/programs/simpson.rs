//! Engineer: Simpson's rule with a closure; velocity profile in a pipe, flow rate and energy coefficient.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
fn simpson<F>(f: F, a: f64, b: f64, n: usize) -> f64
where
    F: Fn(f64) -> f64,
{
    assert!(n % 2 == 0, "n must be even");
    let h = (b - a) / n as f64;
    let mut s = f(a) + f(b);
    for i in 1..n {
        let w = if i % 2 == 1 { 4.0 } else { 2.0 };
        s += w * f(a + i as f64 * h);
    }
    s * h / 3.0
}

#[differentiable]
fn coriolis(p: &[f64]) -> f64 {
    let (umax, radius, m) = (p[0], p[1], p[2]);
    let u = |r: f64| umax * (1.0 - (r / radius).powf(m));
    let area = std::f64::consts::PI * radius.powi(2);
    let q = simpson(|r| 2.0 * std::f64::consts::PI * r * u(r), 1e-6, radius, 40);
    let mean = q / area;
    let e = simpson(|r| 2.0 * std::f64::consts::PI * r * u(r).powi(3), 1e-6, radius, 40);
    e / (mean.powi(3) * area) + 0.01 * q
}

pub(super) fn main() -> Result<(), di::Error> {
    let p = [2.0, 0.5, 2.5];
    let g = gradient(coriolis::AD, NoPrep, &AutoSource::new(), &p)?;
    check("11", &g, &fd(coriolis, &p));
    Ok(())
}
