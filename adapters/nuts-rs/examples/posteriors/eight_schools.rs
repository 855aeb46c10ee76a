//! Eight schools, non-centred: `theta = mu + tau * eta`. The reference integrates `theta` and `mu` out by hand.

use crate::summary::{Quadrature, Quantity, compare, nanoseconds};
use di::prelude::*;
use di_nuts_rs::LogDensity;
use std::error::Error;

/// Effects of coaching, and their standard errors: Rubin (1981).
struct Schools {
    y: [f64; 8],
    sigma: [f64; 8],
}

const SCHOOLS: Schools = Schools {
    y: [28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0],
    sigma: [15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0],
};
/// Scales of the priors: normal for `mu`, half Cauchy for `tau`.
const SCALE: f64 = 5.0;

/// `x` is `mu`, the logarithm of `tau`, and `eta`.
#[differentiable]
fn log_density(x: &[f64], #[constant] y: &[f64], #[constant] sigma: &[f64]) -> f64 {
    let tau = x[1].exp();
    let (m, t) = (x[0] / 5.0, tau / 5.0);
    let mut sum = -0.5 * m * m - (1.0 + t * t).ln() + x[1];
    for j in 0..y.len() {
        let eta = x[2 + j];
        let z = (y[j] - x[0] - tau * eta) / sigma[j];
        sum -= 0.5 * (eta * eta + z * z);
    }
    sum
}

pub(crate) fn run() -> Result<bool, Box<dyn Error>> {
    let model = || {
        let f = di::owning(SCHOOLS, |s| log_density::AD.with(&s.y, &s.sigma));
        LogDensity::new(f, AutoSource::new(), &[0.0; 10])
    };
    let known = reference();
    let mut quantities = vec![
        quantity("mu", known[0], |x| x[0]),
        quantity("tau", known[1], |x| x[1].exp()),
    ];
    for j in 0..8 {
        let theta = move |x: &[f64]| x[0] + x[1].exp() * x[2 + j];
        quantities.push(quantity(&format!("theta[{}]", j + 1), known[2 + j], theta));
    }
    let good = compare("eight schools", model()?, 10, &quantities)?;
    let time = nanoseconds(
        model()?,
        &[4.0, 1.0, 0.3, 0.0, -0.1, 0.0, -0.2, -0.1, 0.3, 0.1],
    )?;
    println!("  {time:.0} ns for a log density and its gradient\n");
    Ok(good)
}

fn quantity(name: &str, (mean, sd): (f64, f64), of: impl Fn(&[f64]) -> f64 + 'static) -> Quantity {
    Quantity {
        name: name.to_owned(),
        of: Box::new(of),
        mean,
        sd,
    }
}

/// Means and standard deviations of `mu`, `tau` and all `theta`: given `tau` everything is normal, and `tau` is
/// integrated by the trapezoidal rule in its logarithm.
fn reference() -> Vec<(f64, f64)> {
    let Schools { y, sigma } = SCHOOLS;
    let mut all = Quadrature::new(10);
    for k in 0..40_000 {
        let log_tau = -14.0 + 24.0 * f64::from(k) / 40_000.0;
        let tau: f64 = log_tau.exp();
        // y[j] given mu and tau has variance sigma[j]^2 + tau^2
        let (mut precision, mut weighted) = (1.0 / (SCALE * SCALE), 0.0);
        let mut log_weight = -(1.0 + (tau / SCALE).powi(2)).ln() + log_tau;
        for j in 0..8 {
            let v = sigma[j] * sigma[j] + tau * tau;
            precision += 1.0 / v;
            weighted += y[j] / v;
            log_weight -= 0.5 * (v.ln() + y[j] * y[j] / v);
        }
        let mu = weighted / precision;
        log_weight += 0.5 * (weighted * mu - precision.ln());
        let mut moments = vec![(mu, mu * mu + 1.0 / precision), (tau, tau * tau)];
        for j in 0..8 {
            // theta given mu is a mean of mu and y, with weight b of y
            let b = tau * tau / (sigma[j] * sigma[j] + tau * tau);
            let m = b * y[j] + (1.0 - b) * mu;
            let v = b * sigma[j] * sigma[j] + (1.0 - b) * (1.0 - b) / precision;
            moments.push((m, m * m + v));
        }
        all.add(log_weight, &moments);
    }
    (0..10).map(|q| all.mean_and_sd(q)).collect()
}
